#!/bin/bash
# Stacks of samples are complete from the first one for files known before (-x; --image and --ldd), and become complete for others; a loader that stops or dies blocks no process; unwinding does not prevent unloading
# default: no
# kernels: all
# timeout: 400
. "$SRC/tests/lib/session.sh"

# spins [PROGRAM [N]]: in the background, and already running
spins()
{
	: >spinning
	# shellcheck disable=SC2086
	nice -n 19 "${1:-./spin}" $2 >spinning &	# taprun has priority
	wait_until test -s spinning
}

spins
"$TAPRUN" -x $! ./t_samples.ko >out 2>err || fail "$(cat out err)"
grep -qx 'good 1, bad 0' out || fail "-x: $(cat out err)"
"$TAPRUN" --image ./spin --ldd ./t_samples.ko >out 2>err || fail "$(cat out err)"
grep -qx 'good 1, bad 0' out || fail "--image: $(cat out err)"
"$TAPRUN" -w ./t_samples.ko >out 2>err || fail "$(cat out err)"
grep -q 'good 1,' out || fail "$(cat out err)"
kill $!

# Questions are not answered, so each process waits a while and continues; then the loader dies.
start ./t_waits.ko
printed on
kill -STOP $pid
./spin 2000000000 >spinning & one=$!
mkdir other && cp spin other/ && { ./other/spin 2000000000 >spinning & two=$!; }
sleep 1
kill -KILL $pid
wait $pid 2>/dev/null
wait_until "$TAPRUN" -d t_waits 2>/dev/null
gone t_waits || fail "is still there"
wait_until test -s spinning
kill "$one" "$two" || fail "ended"

# Four of them run all the time while sessions start and end.
for ((i = 0; i < 4; i++)); do
	spins ./spin 2000000000
done
for ((i = 0; i < 6; i++)); do
	start -w ./t_waits.ko
	printed on
	sleep 0.$i
	kill -INT $pid
	wait $pid || fail "$i: $(cat out err)"
	gone t_waits || fail "$i: is still there"
done
"$TAPRUN" -w ./t_waits.ko until_met=1 >out 2>err && grep -qx met out || fail "$(cat out err)"
kill $(jobs -p)
