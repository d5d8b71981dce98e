#!/bin/bash
# A processor prints, and ends a session, while it goes offline, after the kernel's last look at deferred work: the session ends without it
# kernels: all
# timeout: 300
. "$SRC/tests/lib/session.sh"
cpu=/sys/devices/system/cpu/cpu1/online
[[ -w $cpu ]] || { echo "one processor"; exit 77; }
trap 'echo 1 >$cpu' EXIT
ended() { [[ ! -d /proc/$pid ]]; }

start ./t_last.ko
printed begin
echo 0 >$cpu || fail offline
kill -TERM $pid
wait_until ended
wait $pid || fail "status $?: $(cat err)"
[[ $(cat out) = $'begin\n1 dies\nend 1' ]] || fail "$(cat out err)"
wait_until gone t_last
echo 1 >$cpu

start ./t_exit.ko
printed begin
echo 0 >$cpu || fail offline
wait_until ended
wait $pid || fail "status $?: $(cat err)"
[[ $(cat out) = $'begin\n1 dies\nend 1' ]] || fail "$(cat out err)"
wait_until gone t_exit
echo 1 >$cpu

start ./t_last.ko		# its work is done there again
printed begin
write=$(taskset -c 1 cat /proc/self/stat | cut -d ' ' -f 39)
[[ $write = 1 ]] || fail "on processor $write"
kill -TERM $pid
wait $pid || fail "status $?: $(cat err)"
[[ ! -s err ]] || fail "$(cat err)"
