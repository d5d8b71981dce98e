# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
# The recorder's snapshots, of a module's making, on this machine: from its memory to a timeline on disk.

snapshot_here()
{
	local events copied written

	make -s -C "$build" tests/unit/staging-recording >/dev/null || return
	# 79 MB are ten million events
	read -r events _ copied _ _ _ written _ \
		< <("$build/tests/unit/staging-recording" perfetto "$scratch/timeline" 79)
	rm -f "$scratch/timeline"
	keep tapc snapshot "$(awk -v n="$events" -v a="$copied" -v b="$written" 'BEGIN { print (a + b) * 1e7 / n }')"
	keep tapc drawn "$(awk -v n="$events" -v b="$written" 'BEGIN { print n / b / 1e6 }')"
}
