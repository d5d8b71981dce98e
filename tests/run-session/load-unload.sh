#!/bin/bash
# Loading and unloading with every kind of probe, eight times, while processes fork, read and write
# kernels: all
# timeout: 540
# host: "$TAPC" $TAPC_ARGS --no-global-var-display -p4 -m t_loop -e 'global n probe kernel.function("vfs_*"), kernel.function("vfs_*").return, kernel.function("*fork*"), kernel.function("do_exit"), kernel.function("schedule").return, timer.us(300), timer.jiffies(1), timer.profile { n++ } probe kernel.function("write_null") if (n % 2) { n++ } probe timer.ms(20) { exit() } probe end { println("end") }'
. "$SRC/tests/lib/session.sh"
while :; do dd if=/dev/zero of=/dev/null bs=1 count=3000 status=none; (:); done & busy=$!
while :; do (: & wait); /bin/true; done & busy2=$!
trap 'kill $busy $busy2' EXIT
for ((run = 0; run < 8; run++)); do
	[[ $("$TAPRUN" -w ./t_loop.ko 2>err) = end ]] || fail "run $run" "$(cat err)"
done
