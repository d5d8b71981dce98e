#!/bin/bash
# A program that is already running is counted from the start on, other programs cannot read its counter, many short-lived threads leave nothing behind
# timeout: 300
. "$SRC/tests/lib/session.sh"
{ wait_until test -e /tmp/go; echo; } | ./threads late &
target=$!
sleep 0.5
start ./t_late.ko
printed started
for ((i = 0; i < 15; i++)); do ./threads; done
: >/tmp/go
wait $target
/bin/true
kill -INT $pid
wait $pid
# of 16 programs, with 3 threads and a child each
[[ $(grep -c '^10: 10$' out) = 16 && $(grep -c '^200: 200$' out) = 16 && $(grep -c '^50: 50$' out) = 16 ]] || fail "$(cat out err)"
grep -q "^the events of thread [0-9]* (true) are not counted" out || fail "$(cat out err)"
each_fails t_fails 20
[[ $k -ge 5 && $k -lt 20 ]] || fail "$k registrations"
"$TAPRUN" ./t_lacks.ko >out 2>err
status=$?
[[ $status = 5 ]] || fail "status $status: $(cat out err)"
grep -q "at <stdin>:1:1: this machine has no such counter: type 0, config 0" err || fail "$(cat out err)"
