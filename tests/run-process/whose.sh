#!/bin/bash
# With -c or -x only that process, its descendants and the programs they execute are probed; a PID, a program in a container and a build-id select just that; a stripped library at another address is also found by hidden and IFUNC names
# kernels: all
# arm64: no, what it translates for is in processes of this machine, and none here are arm64's
# timeout: 240
. "$SRC/tests/lib/session.sh"
truth='steps 36 36, begin 5, end 3, threads 3 3
twice 36 36 36, calls 72 36 36 36, second 36'
./whose wait 1000 &
other=$!
./whose wait 5 fork 7 again 11 become 13 &
target=$!
start -x $target ./t_whose.ko
printed on
touch go
wait $target || fail "the program: $?"
kill -INT "$pid"
wait "$pid"
wait $other || fail "the other: $?"
# its first exec and thread were earlier
diff out - <<<"on
$(sed 's/begin 5/begin 4/; s/threads 3 3/threads 2 2/' <<<"$truth")" || fail "-x $(cat err)"
"$TAPRUN" -c './whose 5 fork 7 again 11 become 13' ./t_whose.ko >out 2>err
diff out - <<<"on
$truth" || fail "-c $(cat err)"

# by PID, in a container, by build-id: the numbers are those of processes that whose.by saw
# shellcheck disable=SC1091,SC2154
. ./seen
echo 4194304 >/proc/sys/kernel/pid_max
cp outside /app
rm go
# shellcheck disable=SC2154
./whose as "$container" unshare -m sh -c "$enter" &
boxed=$!
# shellcheck disable=SC2154
./whose as "$that" ./whose wait 17 &
other=$!
both_run() { [[ $(readlink /proc/"$container"/exe) = /app && $(readlink /proc/"$that"/exe) = "$PWD/whose" ]]; }
wait_until both_run
start ./t_by.ko
printed on
touch go box/go
wait $boxed || fail "in the container: $?"
wait $other || fail "the other: $?"
/app 50
./whose 4
box/app 9
kill -INT "$pid"
wait "$pid"
[[ $(tail -n 1 out) = '30 21 17 21 1 21' ]] || fail "$(cat out err)"
