#!/bin/bash
# Threads that sleep in a function whose return is probed: no return is missed, a session's end does not wait for them, and its module is gone when they wake up
# kernels: 6.1
# default: no
# timeout: 600
count=${1:-3000}
inside=/sys/module/tap_gate/parameters/inside
failed=

expect() { [[ $2 = "$3" ]] || { echo "$1: '$2', expected '$3'"; failed=1; }; }

wake=/tmp/gate-sleep.fifo
mkfifo $wake || exit
cat >work <<-END2
	./sleepers $count $wake &
	for i in \$(seq 600); do
		[ "\$(cat $inside)" -lt $count ] || break
		sleep 0.2
	done
	cat $inside >most
	echo go >$wake
	wait
END2
# all of it in a session
"$TAPRUN" -v -c 'sh work' t_gate.ko >out 2>err || { cat err; exit 1; }
cat out
grep -q '1 of them by direct calls' err || { cat err; exit 1; }
expect 'returns, wrong ones' "$(cat out)" "$count 0"
! grep -i missed err || failed=1

# the session ends while they sleep
"$TAPRUN" -v -c "sh -c './sleepers $count $wake & for i in \$(seq 600); do [ \$(cat $inside) -lt $count ] || break; sleep 0.2; done'" \
	t_gate.ko >out 2>err || { cat err; exit 1; }
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
# and one for the same function hears nothing of those that were there before
"$TAPRUN" -v -c "sh -c 'echo go >$wake; while pidof sleepers >/dev/null; do sleep 0.2; done'" t_gate.ko >out 2>err || failed=1
expect 'the next session' "$(cat out)" '0 0'
# no thread is inside any more
[[ ! -e /sys/module/tap_gate ]] || { cat $inside err; rmmod tap_gate; failed=1; }
[[ -z $failed ]]
