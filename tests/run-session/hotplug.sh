#!/bin/bash
# A processor that goes and comes back during a session: nothing is lost, timer.profile ticks there again
# kernels: all
# host: "$TAPC" $TAPC_ARGS --no-global-var-display -p4 -m t_hotplug -e 'global n, ticks probe begin { println("begin") } probe kernel.function("write_null") { if (execname() == "dd") { n++; printf("%d\n", n) } } probe timer.profile { if (cpu() == 1) ticks++ } probe end { printf("end %d\n", n) }'
. "$SRC/tests/lib/session.sh"
cpu=/sys/devices/system/cpu/cpu1/online
[[ -w $cpu ]] || { echo "one processor"; exit 77; }
trap 'echo 1 >$cpu' EXIT
write() { dd if=/dev/zero of=/dev/null bs=1 count=500 status=none; }
start ./t_hotplug.ko
printed .
write
echo 0 >$cpu || fail offline
write
echo 1 >$cpu || fail online
taskset -c 1 dd if=/dev/zero of=/dev/null bs=1 count=500 status=none || write
echo 0 >$cpu
echo 1 >$cpu
kill -TERM $pid
wait $pid
cat err
[[ $(tail -n 1 out) = 'end 1500' && ! -s err ]] || fail "$(tail -n 1 out)"
cmp <(seq 1500) <(grep '^[0-9]' out) || fail "lines"
echo 0 >$cpu
start ./t_hotplug.ko	# started while it is away
printed .
echo 1 >$cpu
taskset -c 1 dd if=/dev/zero of=/dev/null bs=1 count=500 status=none
kill -TERM $pid
wait $pid
[[ $(tail -n 1 out) = 'end 500' ]] || fail "come later: $(tail -n 1 out)"
cmp <(seq 500) <(grep '^[0-9]' out)
