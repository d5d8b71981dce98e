#!/bin/bash
# Whichever registration at a tracepoint fails, the start is undone and the module can be unloaded
# timeout: 360
# kernels: all
# host: "$TAPC" $TAPC_ARGS --no-global-var-display -p4 -m t_fails -e 'global n probe kernel.trace("sched:sched_process_*"), kernel.trace("sys_enter"), kernel.trace("sys_exit") { n++ } probe begin { println("begin") }'
. "$SRC/tests/lib/session.sh"
each_fails t_fails 40
[[ $k -ge 8 && $k -lt 40 ]]
