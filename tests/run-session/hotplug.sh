#!/bin/bash
# Processors go offline and online during a session: nothing is lost, and per-processor probes soon work on new ones, too: ticks, counters, watchpoints
# default: no
# kernels: all
# timeout: 600
# host: "$TAPC" $TAPC_ARGS --no-global-var-display -p4 -m t_hotplug "$SRC/tests/run-session/hotplug.script"
. "$SRC/tests/lib/session.sh"
cpu=/sys/devices/system/cpu/cpu1/online
[[ -w $cpu ]] || { echo "one processor"; exit 77; }
trap 'kill $pid 2>/dev/null; echo 1 >$cpu; echo 0 >/proc/sys/kernel/panic' EXIT
write() { "$@" dd if=/dev/zero of=/dev/null bs=1 count=500 status=none; }
# panics NAME TIMES: NAME writes to the watched variable
panics() { bash -c "echo -n $1 >/proc/self/comm; for ((i = 0; i < $2; i++)); do echo \$i >/proc/sys/kernel/panic; done"; }
on_cpu1() { taskset -pc 1 $BASHPID >/dev/null; panics "$@"; }
told() { grep -c '^seen: 1 1 1' out; }
# The processor is back, and soon has all probes that the others have. Then it writes 11 times.
comes()
{
	local before i

	before=$(told)
	panics reset 1
	for ((i = 0; i < 60; i++)); do
		(on_cpu1 look 1)
		kill -0 $pid || break
		[[ $(told) = "$before" ]] || break
	done
	[[ $(told) != "$before" ]] || fail "$1: $(tail -n 2 out; cat err)"
	(on_cpu1 exact 11)
}
# ended LINES WRITES
ended()
{
	kill -TERM $pid
	wait $pid
	[[ $(tail -n 1 out) = "end $1 $2" && ! -s err ]] || fail "$(tail -n 1 out; cat err)"
	cmp <(seq "$1") <(grep '^[0-9]' out) || fail lines
}
start ./t_hotplug.ko
printed begin
write
echo 0 >$cpu || fail offline
write
echo 1 >$cpu || fail online
write taskset -c 1
comes 'back again'
for round in 1 2 3; do		# not only when everything is idle
	echo 0 >$cpu && echo 1 >$cpu || fail "round $round"
done
comes 'after many times'
echo 0 >$cpu
ended 1500 22
start ./t_hotplug.ko		# while it is offline
printed begin
echo 1 >$cpu
write taskset -c 1
comes 'away at first'
echo 0 >$cpu
echo 1 >$cpu &			# it goes online while probes are detached
ended 500 11
wait
