#!/bin/bash
# If any registration of a probe fails, in any family, the start is undone: nothing is left, and the module can be unloaded; if none fails all probes are hit
# default: no
# timeout: 900
# kernels: all
. "$SRC/tests/lib/session.sh"
here() {
	cat /sys/kernel/tracing/enabled_functions /sys/kernel/debug/kprobes/list
	grep -h tap: /sys/devices/system/cpu/hotplug/states
	grep 't_functions\|t_others' /proc/timer_list	# 5.10 does not show the owner
	ls -d /proc/systemtap/t_*
} 2>/dev/null
# With the control file open, so that the start is not undone by closing it.
undone()
{
	[[ $status != 0 ]] || return 0
	cmp before <(here) || fail "$1: $(diff before <(here))"
	./stepper || fail "$1: something is in the program: $?"
	for file in /proc/tap:t_*/cpu*; do
		dd if="$file" iflag=nonblock bs=64k count=1 status=none | grep -q begin && fail "$1: begin ran"
	done 2>/dev/null
}
# all NAME LEAST POINTS: module NAME has LEAST registrations or more, and this many of its points are hit.
all()
{
	each_fails "$1" 90 undone
	((k >= $2 && k < 90)) || fail "$1: $k, $("$TAPRUN" -T 1 ./"$1".ko 2>&1)"
	"$TAPRUN" -w -c "bash ./work $1" ./"$1".ko >out 2>err || fail "$(cat out err)"
	[[ $(grep -c '[.(]' out) = "$3" ]] || fail "$1: $(cat out)"
}
cat >work <<'END'
if [ $1 = t_functions ]; then
	grep -q '^vfs_read ' /sys/kernel/tracing/enabled_functions || echo '(no hook)'
	grep -q . /sys/kernel/debug/kprobes/list || echo '(no kprobe)'
else
	grep -q tap: /sys/devices/system/cpu/hotplug/states || echo '(no state)'
fi
rmmod dummy; modprobe dummy numdummies=1
echo 0 >/proc/sys/kernel/panic
cat /proc/systemtap/$1/d/n; echo >/proc/systemtap/$1/n
echo x >/dev/udp/127.0.0.1/9
id >id
./stepper 10 || echo $?
END
modprobe dummy && ip link set lo up || fail dummy
here >before
./stepper 100000000 &	# registrations appear and disappear there
running=$!
all t_functions 7 8
rmmod dummy || fail "the module is held"
if [[ $(uname -m) = aarch64 ]]; then	# no data watchpoints
	all t_others 20 20
else
	all t_others 25 22
fi
kill $running
grep -qx 3 out || fail "nothing in the program: $(cat out)"
