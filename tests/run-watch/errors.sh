#!/bin/bash
# Variables that cannot be watched: the message has the reason; watchpoints beyond the number of registers are reported once each, and nothing is left
# kernels: all
# arm64: no, its kernels step over watched accesses for perf and debuggers only (message/arm64)
. "$SRC/tests/lib/session.sh"
"$TAPRUN" ./t_five.ko >out 2>err
[[ $? = 5 && ! -s out ]] || fail "$(cat out err)"
[[ $(grep -c 'ERROR: probe process.*: the machine.s debug registers are all in use' err) = 1 ]] || fail "$(cat err)"
gone t_five
