#!/bin/bash
# Stacks of samples are whole from the first one for what is known before (-x; --image and --ldd), come to be whole for the rest; a loader that stops or dies keeps nobody waiting; stacks that are being made do not hinder an unload
# kernels: all
# timeout: 400
# host: gcc -O2 -fomit-frame-pointer -no-pie -o spin sessions.c && "$TAPC" $TAPC_ARGS --no-global-var-display -p4 -m t_samples -e 'global good, bad probe timer.profile { if (execname() == "spin" && user_mode()) { if (sprint_ubacktrace() =~ "^inner.*\nouter.*\nmain.*\n") good++; else bad++; if (good > 19) exit() } } probe end { printf("good %d, bad %d\n", good > 19, bad) }' && "$TAPC" $TAPC_ARGS --no-global-var-display -p4 -m t_waits sessions.script
. "$SRC/tests/lib/session.sh"

# spins [PROGRAM [N]]: in the background, and under way
spins()
{
	: >spinning
	nice -n 19 "${1:-./spin}" $2 >spinning &	# what taprun does comes first
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

# Nobody answers, so each waits a while and goes on; then the loader dies.
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
kill $one $two || fail "ended"

# Four of them work all the time while sessions come and go.
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
