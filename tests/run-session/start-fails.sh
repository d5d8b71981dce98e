#!/bin/bash
# Whichever registration of a probe fails, the start is undone: no hook stays, the module can be unloaded
# timeout: 360
# kernels: all
# host: "$TAPC" $TAPC_ARGS --no-global-var-display -p4 -m t_fails -e 'global n probe kernel.function("vfs_read"), kernel.function("vfs_read").return, kernel.function("vfs_write").return, timer.ms(1), timer.profile { n++ } probe begin { println("begin") }'
. "$SRC/tests/lib/session.sh"
for ((k = 1; k < 40; k++)); do
	insmod ./t_fails.ko fail_at=$k || fail insmod
	exec 3<>/proc/tap:t_fails/control
	start_command >&3 2>err
	status=$?
	if [[ $status = 0 ]]; then
		exec 3>&-
		rmmod t_fails || fail rmmod
		break
	fi
	not_probed vfs_read && not_probed vfs_write || fail "$k: still probed"
	for file in /proc/tap:t_fails/cpu*; do
		dd if=$file iflag=nonblock bs=64k count=1 status=none | grep -q begin && fail "$k: begin ran"
	done 2>/dev/null
	exec 3>&-
	rmmod t_fails || fail "$k: cannot be unloaded"
done
echo "$k registrations"
[[ $k -ge 5 && $k -lt 40 ]]
