#!/bin/bash
# -L leaves a session running, -A attaches and sees the output since then, SIGQUIT detaches again, -d ends it
# kernels: all
. "$SRC/tests/lib/session.sh"
"$TAPRUN" -L ./t_detach.ko >out 2>err || fail "-L: $?" "$(cat err)"
dd if=/dev/zero of=/dev/null bs=1 count=3 status=none
"$TAPRUN" ./t_detach.ko 2>err && fail "a second one"
start -A t_detach
printed 3
kill -QUIT $pid
wait $pid || fail "SIGQUIT: $?" "$(cat err)"
[[ $(tr '\n' ' ' <out) = 'begin 1 2 3 ' ]] || fail "first" "$(cat out err)"
loaded t_detach || fail "not there after SIGQUIT"
dd if=/dev/zero of=/dev/null bs=1 count=2 status=none
"$TAPRUN" -T 0.2 -A t_detach >out 2>err || fail "-A: $?" "$(cat err)"
[[ $(tr '\n' ' ' <out) = '4 5 end ' ]] || fail "second" "$(cat out err)"
gone t_detach || fail "still loaded"
"$TAPRUN" -L ./t_detach.ko 2>err && "$TAPRUN" -d t_detach && gone t_detach
