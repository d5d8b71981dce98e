#!/bin/bash
# Threads that sleep in a function whose return is probed: no return is missed, a session's end does not wait for them, and tap_gate is gone after the last one has left
# kernels: 6.1 6.12 7.3
# default: no
# timeout: 900
count=${1:-10000}
inside=/sys/module/tap_gate/parameters/inside
failed=

expect() { [[ $2 = "$3" ]] || { echo "$1: '$2', expected '$3'"; failed=1; }; }
loaded() { [[ -e /sys/module/tap_gate ]]; }

sysctl -qw kernel.threads-max=$((count * 2)) kernel.pid_max=$((count * 4)) vm.max_map_count=$((count * 8)) || exit
wake=/tmp/gate-sleep.fifo
mkfifo $wake || exit
cat >asleep <<-END2
	./sleepers $count $wake &
	for i in \$(seq 1200); do
		[ "\$(cat $inside)" -lt $count ] || break
		sleep 0.2
	done
END2
{ cat asleep; echo "echo go >$wake; wait"; } >work
# all of it in a session
"$TAPRUN" -v -c 'sh work' t_gate.ko >out 2>err || { cat err; exit 1; }
cat out
grep -q ' [1-9]* of them by direct calls' err || { cat err; exit 1; }
expect 'returns, wrong ones' "$(cat out)" "$count 0"
! grep -i missed err || failed=1
! loaded || { echo 'tap_gate stays after a session without sleepers'; failed=1; }

# the session ends while they sleep
"$TAPRUN" -v -c 'sh asleep' t_gate.ko >out 2>err || { cat err; exit 1; }
expect 'a session that ends first' "$(cat out)" '0 0'
grep 'tap_gate stays loaded' err || { cat err; failed=1; }
[[ ! -e /sys/module/t_gate ]] || { echo "the session's module is loaded"; failed=1; }
(($(cat $inside) >= count)) || { cat $inside; failed=1; }
rmmod tap_gate 2>/dev/null && { echo 'tap_gate was removed'; exit 1; }
# other sessions begin and end
for _ in 1 2 3; do
	"$TAPRUN" -c 'dd if=/dev/zero of=/dev/null bs=7 count=500 status=none' t_brief.ko >out || failed=1
	(($(cat out) >= 500)) || { cat out; failed=1; }
done
# those that leave during another session for the same function are none of it
"$TAPRUN" -v -c "sh -c 'echo go >$wake; while pidof sleepers >/dev/null; do sleep 0.2; done'" t_gate.ko >out 2>err || failed=1
expect 'the next session' "$(cat out)" '0 0'
for ((i = 0; i < 100; i++)); do loaded || break; sleep 0.1; done
! loaded || { echo 'tap_gate stays when no thread is inside'; cat $inside err; rmmod tap_gate; failed=1; }

# no later session: it is removed when they have left
"$TAPRUN" -c 'sh asleep' t_gate.ko >out || failed=1
expect 'another session that ends first' "$(cat out)" '0 0'
loaded || { echo 'tap_gate was removed while threads sleep'; failed=1; }
echo go >$wake
while pidof sleepers >/dev/null; do sleep 0.2; done
for ((i = 0; i < 600; i++)); do loaded || break; sleep 0.1; done
! loaded || { echo 'tap_gate stays after the last thread has left'; cat $inside; rmmod tap_gate; failed=1; }
[[ -z $failed ]]
