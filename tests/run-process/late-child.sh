#!/bin/bash
# A new process that does not get as far as user space does not keep a session from ending; its module can be removed once it has run
# kernels: all
. "$SRC/tests/lib/session.sh"
start ./t_late.ko
printed begin
./late-child >state &
late=$!
wait_until contains state waits
kill -INT $pid
wait $pid
status=$?
[[ $(tail -n 1 out) = end ]] || fail "taprun: $status" "$(cat out err)"
grep -q '1 new processes have not started to run: the module stays loaded until they do' err || fail "not reported: $status" "$(cat err)"
loaded t_late || fail "unloaded under it"
kill -USR1 $late
wait $late || fail "late-child: $(cat state)"
grep -q 'has run' state || fail "late-child: $(cat state)"
unload() { "$TAPRUN" -d t_late 2>err || [[ ! -e /proc/tap:t_late ]]; }
wait_until unload
gone t_late
