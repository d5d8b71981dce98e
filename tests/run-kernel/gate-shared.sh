#!/bin/bash
# A function whose return is probed by a direct call serves other sessions, the function graph tracer, and live patches
# kernels: 6.1 6.12 7.3
# default: no
# timeout: 300
. "$SRC/tests/lib/direct.sh"

expect '200 1400' "$TAPRUN" -c "$dd; '$TAPRUN' -c '$dd' ./t_session2.ko >second" ./t_session1.ko
expect '100 700' cat second
expect '200 1400' "$TAPRUN" -c "$dd; '$TAPRUN' -c '$dd' ./t_entry.ko >second" ./t_session1.ko
expect 100 cat second
expect 200 "$TAPRUN" -c "$dd; '$TAPRUN' -c '$dd' ./t_session1.ko >second" ./t_entry.ko
expect '100 700' cat second
# in the function graph
t=/sys/kernel/tracing
[[ -e $t/trace ]] || mount -t tracefs tracefs $t
echo write_null >$t/set_graph_function && echo function_graph >$t/current_tracer || exit
expect '100 700' "$TAPRUN" -c "$dd" ./t_session1.ko
grep -q write_null $t/trace || { echo 'no function graph'; exit 1; }
expect '200 1400' "$TAPRUN" -c "$dd; echo nop >$t/current_tracer; $dd" ./t_session1.ko
expect '200 1400' "$TAPRUN" -c "$dd; echo function_graph >$t/current_tracer; $dd" ./t_session1.ko
echo nop >$t/current_tracer; echo >$t/set_graph_function
# the patched function returns 3, 3, and 1
./apply 1 || exit
expect '100 300' "$TAPRUN" -c "$dd" ./t_session1.ko
expect 300 "$TAPRUN" -c "$dd" ./t_names.ko
expect '300 1300' "$TAPRUN" -c "$dd; ./apply 0; $dd; ./apply 1; $dd" ./t_session1.ko
./apply 0 || exit
expect '100 700' "$TAPRUN" -c "$dd" ./t_session1.ko
expect 400 "$TAPRUN" -c "$dd; ./apply 1; sleep 2; $dd" ./t_names.ko
./apply 0 || exit
! dmesg | grep -i 'livepatch.*fail' || exit
