#!/bin/bash
# A reader that closes the pipe ends the session: status 0, the module is unloaded
# kernels: all
# host: "$TAPC" $TAPC_ARGS --no-global-var-display -p4 -m t_head -e 'global n probe timer.ms(1) { printf("%d\n", n++) } probe begin { println("begin") }'
. "$SRC/tests/lib/session.sh"
{ "$TAPRUN" ./t_head.ko 2>err; echo $? >status; } | head -n 1 >out
wait_until test -s status
[[ $(<out) = begin && $(<status) = 0 ]] || fail "status $(<status)" "$(cat out err)"
gone t_head || fail "still loaded"
"$TAPRUN" -T 0.1 ./t_head.ko <&- >&- 2>&-
gone t_head || fail "still loaded, no files open"
