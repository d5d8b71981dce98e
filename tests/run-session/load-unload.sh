#!/bin/bash
# Loading and unloading with every kind of probe, eight times, while processes fork, read and write
# default: no
# kernels: all
# timeout: 540
. "$SRC/tests/lib/session.sh"
while :; do dd if=/dev/zero of=/dev/null bs=1 count=3000 status=none; (:); done & busy=$!
while :; do (: & wait); /bin/true; done & busy2=$!
trap 'kill $busy $busy2' EXIT
for ((run = 0; run < 8; run++)); do
	[[ $("$TAPRUN" -w ./t_loop.ko 2>err) = end ]] || fail "run $run" "$(cat err)"
done
