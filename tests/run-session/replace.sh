#!/bin/bash
# --replace: a session takes the place of another one, whose begin probes do not run again, whose end probes do not run, and whose globals keep their values; if it cannot start, the other one goes on
. "$SRC/tests/lib/session.sh"
write() { dd if=/dev/zero of=/dev/null bs=1 count="$1" status=none; }
start ./t_old.ko
printed 'old begins'
old=$pid
write 100
mv out old.out
mv err old.err

# a start that fails: nothing is lost
"$TAPRUN" --replace=none ./t_never.ko >none.out 2>none.err
[[ $? = 5 ]] && grep -q "there is no session 'none' that hands over its globals (tapc --hand-over)" none.err || fail "none" "$(cat none.err)"
gone t_never || fail "t_never is left"
"$TAPRUN" --replace=t_old ./t_never.ko >never.out 2>never.err && fail "it started"
grep -q "no memory for the array 'big'" never.err || fail "it did not fail at its start" "$(cat never.err)"
gone t_never || fail "t_never is left" "$(cat never.err)"
write 10

start --replace=t_old ./t_new.ko
printed 'new begins 110 dd 110 dd 110 110 7'
wait $old || fail "the old session: $?" "$(cat old.err)"
grep -q 'old ends' old.out && fail "its end probes ran" "$(cat old.out)"
gone t_old || fail "t_old is left"
grep -q 'old begins' out && fail "a begin probe ran again" "$(cat out)"
grep -q "WARNING: the global 'other' does not go on: its keys or its value have another type" err || fail "no warning" "$(cat err)"
write 7
kill -INT $pid
wait $pid || fail "the new session: $?" "$(cat err)"
grep -qx 'new ends 117 117 117 117' out || fail "the end" "$(cat out)"
gone t_new || fail "t_new is left"
