# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
# Sessions: load to first output, and unload.

# The fastest of three runs, the first of which reads files from the host.
session_job()
{
	job "$1" 300 <<-EOF
	for i in 1 2 3; do
		measure session $2
	done | awk '{ if (!first || \$1 < first) first = \$1; if (!end || \$2 < end) end = \$2 }
		END { print first, end }'
	EOF
}

prepare_sessions()
{
	[[ -n $(rows session) ]] || return 0
	compile load < <(script load.stp) &&
		session_job load.tapc "taprun $scratch/bin/load.ko"
	has_bpftrace || return 0
	script load.bt >"$scratch/bin/load.kprobe.bt"
	script load.bt | to_kfunc >"$scratch/bin/load.kfunc.bt"
	for peer in kprobe kfunc; do
		session_job load.$peer "bpftrace -B line $scratch/bin/load.$peer.bt"
	done
}

collect_sessions()
{
	local peer

	for peer in tapc kprobe kfunc; do
		keep $peer load "$(result load.$peer 1)"
		keep $peer unload "$(result load.$peer 2)"
	done
}

session_prepare() { prepare_sessions; }
session_collect() { collect_sessions; }
