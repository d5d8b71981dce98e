#!/bin/bash
# The kernel's function tracer and a session run at the same time, on the same function
cd /sys/kernel/tracing || exit 77
echo write_null >set_ftrace_filter && echo function >current_tracer || exit
trap 'echo nop >current_tracer; echo >set_ftrace_filter; echo > kprobe_events' EXIT
echo 'p:tap_test write_null' >kprobe_events && echo 1 >events/kprobes/tap_test/enable
echo >trace
result=$("$TAPRUN" -c 'dd if=/dev/zero of=/dev/null bs=1 count=100 status=none' "$OLDPWD/t_tracer.ko")
echo "$result; $(grep -c 'dd.*: write_null <-' trace) traced, $(grep -c tap_test: trace) probed"
[[ $result = "100 100" && $(grep -c 'dd.*: write_null <-' trace) = 100 ]] || exit
echo 0 >events/kprobes/tap_test/enable
