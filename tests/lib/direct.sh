# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034
# For guest tests of functions that call probes directly: a workload, what a command prints, and the live patch patch.ko.

dd='dd if=/dev/zero of=/dev/null bs=7 count=100 status=none'

# expect RESULT COMMAND...
expect()
{
	local expected=$1 found

	shift
	found=$("$@" 2>&1)
	[[ $found = "$expected" ]] || { echo "$*: found '$found', expected '$expected'"; exit 1; }
}

# apply 1|0: the live patch is in effect, or not
cat >apply <<'END'
#!/bin/bash
if [[ $1 = 1 ]]; then insmod patch.ko || exit; else echo 0 >/sys/kernel/livepatch/patch/enabled || exit; fi
for _ in {1..600}; do
	if [[ $1 = 1 ]]; then
		[[ $(cat /sys/kernel/livepatch/patch/transition) != 0 ]] || exit 0
	else
		rmmod patch 2>/dev/null && exit 0
	fi
	sleep 0.1
done
exit 1
END
chmod +x apply
