#!/bin/bash
# modules are loaded and unloaded while processes fork, run programs, create threads, make system calls, call functions and exit: no program is disturbed, all hits are seen
# default: no
# kernels: all
# timeout: 720
# host: gcc -g -O1 -pthread -o storm storm.c && "$TAPC" $TAPC_ARGS --no-global-var-display -p4 -m t_storm "$SRC/tests/run-process/storm.script"
. "$SRC/tests/lib/session.sh"
./storm stop &
storm=$!
for round in 1 2 3 4 5 6; do
	"$TAPRUN" ./t_storm.ko >out 2>err || fail "round $round" "$(cat err)"
	grep -q '^all met, none wrong$' out || fail "round $round" "$(cat out err)"
	gone t_storm || fail "round $round: it stays loaded"
done
touch stop
wait $storm || fail "the program saw it: exit status $?"
