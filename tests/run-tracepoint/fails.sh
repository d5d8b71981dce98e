#!/bin/bash
# Whichever registration at a tracepoint fails, the start is undone and the module can be unloaded
# timeout: 120
# kernels: all
# host: "$TAPC" $TAPC_ARGS --no-global-var-display -p4 -m t_fails -e 'global n probe kernel.trace("sched:sched_process_*"), kernel.trace("sys_enter"), kernel.trace("sys_exit") { n++ } probe begin { println("begin") }'
. "$SRC/tests/lib/session.sh"
for ((k = 1; k < 40; k++)); do
	insmod ./t_fails.ko fail_at=$k || fail insmod
	exec 3<>/proc/tap:t_fails/control
	start_command >&3 2>err
	status=$?
	exec 3>&-
	rmmod t_fails || fail "$k: cannot be unloaded"
	[[ $status != 0 ]] || break
done
echo "$k registrations"
[[ $k -ge 8 && $k -lt 40 ]]
