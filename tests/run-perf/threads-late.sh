#!/bin/bash
# A program that is already running is counted from the start on, other programs cannot read its counter, many short-lived threads leave nothing behind
# timeout: 300
# host: gcc -g -O2 -pthread -o threads "$SRC/tests/run-perf/threads.c" && "$TAPC" $TAPC_ARGS -p4 -m t_late threads-late.script && "$TAPC" $TAPC_ARGS --no-global-var-display -p4 -m t_fails -e 'probe perf.sw.page_faults.process("./threads").counter("n") { } probe perf.sw.page_faults.process("./threads") { } probe process("./threads").function("touch") { println(@perf("n")) }' && "$TAPC" $TAPC_ARGS -p4 -m t_lacks -e 'probe perf.hw.cpu_cycles.process("./threads").counter("n") { } probe process("./threads").function("touch") { println(@perf("n")) }'
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
grep -q "at <input>:1:1: this machine has no such counter: type 0, config 0" err || fail "$(cat out err)"
