#!/bin/bash
# Variables that cannot be watched: the message has the reason; watchpoints beyond the number of registers are reported once each, and nothing is left
# kernels: all
# arm64: no, its kernels step over watched accesses for perf and debuggers only (message/arm64)
# host: "$TAPC" $TAPC_ARGS -p2 -e 'probe kernel.data("panic_timeoutt").write { } probe kernel.data(4097).length(8).rw { } probe kernel.data("cpu_number").rw {}' 2>err; grep -q "no variable is named 'panic_timeoutt'" err && grep -q "expected 1, 2, 4 or 8 bytes at a multiple of that length, found 8 at 0x1001" err && [[ $(grep -c ': error:' err) -ge 2 ]] || { cat err; exit 1; }; gcc -g -O1 -o five -x c - <<<'volatile long v[5]; int main(void) { return v[0]; }' && "$TAPC" $TAPC_ARGS -p4 -m t_five -e 'probe kernel.data("panic_timeout").write { } probe process("./five").data("v").length(1).write, process("./five").data("v").length(2).write, process("./five").data("v").length(4).write, process("./five").data("v").length(8).rw { }'
. "$SRC/tests/lib/session.sh"
"$TAPRUN" ./t_five.ko >out 2>err
[[ $? = 5 && ! -s out ]] || fail "$(cat out err)"
[[ $(grep -c 'ERROR: probe process.*: the machine.s debug registers are all in use' err) = 1 ]] || fail "$(cat err)"
gone t_five
