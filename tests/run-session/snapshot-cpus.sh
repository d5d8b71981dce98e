#!/bin/bash
# A processor that is offline when the recorder starts has memory as soon as it is online: all of its events are in the
# snapshot, also after it was away again; without memory they are missed, and it goes online
# default: no
# kernels: all
# timeout: 300
. "$SRC/tests/lib/session.sh"
cpu=/sys/devices/system/cpu/cpu1/online
[[ -w $cpu ]] || { echo "one processor"; exit 77; }
trap 'kill $pid 2>/dev/null; echo 1 >$cpu' EXIT
writes() { taskset -c "$1" dd if=/dev/zero of=/dev/null bs=1 count="$2" status=none; }
# record MODULE
record()
{
	module=$1
	rm -f trace*
	start --output=perfetto -o trace "./$module.ko"
	wait_until test -s trace
}
# taken N: snapshot N, as shown
taken()
{
	"$TAPRUN" --snapshot "$module" || fail "--snapshot: $?"
	wait_until contains err "snapshot 'trace.$1'"
	python3 "$SRC/tests/lib/timeline.py" perfetto "trace.$1" >shown || fail "not a timeline"
}
points() { grep -c "^dd/dd[+0-9]*: point on $1 " shown; }
ended()
{
	kill -TERM $pid
	wait $pid || fail "$1: $?" "$(cat err)"
	gone "$module" || fail "$1: still loaded"
}
echo 0 >$cpu || fail offline
record t_cpus
writes 0 100
taken 1
[[ $(points 0) = 100 && $(points 1) = 0 ]] || fail "away" "$(grep -c . shown)"
echo 1 >$cpu || fail online
writes 1 200
taken 2
[[ $(points 0) = 100 && $(points 1) = 200 ]] || fail "back: $(points 0) $(points 1)" "$(cat err)"
grep -q '^CPU 1: slice dd ' shown || fail "the switches of processor 1"
echo 0 >$cpu && echo 1 >$cpu || fail again
writes 1 300
taken 3
[[ $(points 0) = 100 && $(points 1) = 500 ]] || fail "again: $(points 0) $(points 1)" "$(cat err)"
ended "with memory"
! grep -q 'not recorded\|WARNING' err || fail "missed" "$(cat err)"
python3 "$SRC/tests/lib/timeline.py" perfetto trace | grep -q 'missed 0 ' || fail "missed"

# one part has room, but not two
echo 0 >$cpu || fail offline
record t_little
echo 1 >$cpu || fail "online without memory"
wait_until grep -qx 'WARNING: no memory for the recorder on processor 1: its events are missed' err
writes 1 200
writes 0 100
taken 1
[[ $(points 0) = 100 && $(points 1) = 0 ]] || fail "without memory: $(points 0) $(points 1)"
grep -q "WARNING: snapshot 'trace.1': [0-9]* events since the start were not recorded" err || fail "without memory" "$(cat err)"
ended "without memory"
