#!/bin/bash
# Snapshots by a command and a signal, while recording goes on; at the end of a session; with the process that writes one
# killed, and taprun; a full disk; what is wrong
# default: no
# timeout: 500
. "$SRC/tests/lib/session.sh"
show() { python3 "$SRC/tests/lib/timeline.py" perfetto "$@"; }
child=""
# the process that writes a snapshot: it has copied it and waits for the FIFO
writer() { child=$(pgrep -P "$pid") && [[ -z $(find "/proc/$child/fd" -lname '*/recorder') ]]; }
trouble() { fail "$1" "$(cat err; ls; echo "${2-}")"; }
# recorded FORMAT FILE MODULE
recorded() { start --output="$1" -o "$2" "$3"; wait_until test -s "$2"; }

# rings that are overwritten all the time: what is copied is whole, and recording goes on
dd if=/dev/zero of=/dev/null bs=1 status=none & load=$!
recorded chrome trace ./t_small.ko
for i in 1 2 3 4; do
	if ((i % 2)); then
		"$TAPRUN" --snapshot t_small || fail "--snapshot: $?"
	else
		kill -USR2 $pid
	fi
	wait_until contains err "snapshot 'trace.$i'"
done
kill -TERM $pid
wait $pid || trouble "load: $?"
kill $load
[[ $(tail -n 1 trace.4) = ']' ]] || trouble "under load: the end" "$(tail -c 200 trace.4)"
for name in 'write"' 'dd [0-9]*"'; do
	grep -q "\"name\":\"$name" trace.4 ||
		trouble "under load: no $name" "$(grep -o '"name":"[^"]*"' trace.4 | sort | uniq -c)"
done
# with 1 MB, there are older events; each snapshot is later than the one before
awk '/^taprun: snapshot/ { n++; if ($(NF - 5) + 0 < last + 0) bad = 1; last = $(NF - 5) } END { exit bad || n != 4 || !last }' \
	<(sed 's/; / /' err) || trouble "older events"
! grep -q 'not complete' err || trouble "torn"

# the session ends while the snapshot is being saved
"$TAPRUN" --output=ctf -o folder ./t_exits.ko 2>err || trouble "exit: $?"
[[ -s folder.1/stream && -s folder.1/metadata && ! -e folder.1/stream.part ]] || trouble "exit: no file"

# another one is refused until the first one is copied
"$TAPRUN" --output=chrome -o two ./t_twice.ko 2>err || trouble "twice: $?"
python3 "$SRC/tests/lib/timeline.py" chrome two | grep -q 'point second 0 ' && [[ -e two.1 && ! -e two.2 ]] &&
	grep -qx 'WARNING: 1 snapshots since the start were not taken, as an earlier one was not saved yet' err || trouble "twice"

# a FIFO holds the process that writes; it is killed, and the next snapshot is saved
held=/tmp/held.$$
mkfifo $held.1.part $held.3.part || exit
recorded chrome $held ./t_small.ko
"$TAPRUN" --snapshot t_small
wait_until writer
"$TAPRUN" --snapshot t_small || fail "one may wait: $?"
"$TAPRUN" --snapshot t_small 2>err2 && fail "three"
grep -qx "ERROR: no snapshot of 't_small': an earlier one is not saved yet" err2 || fail "three" "$(cat err2)"
kill -USR2 $pid
wait_until grep -qx 'WARNING: no snapshot: an earlier one is not saved yet' err
kill -KILL "$child"
wait_until contains err "snapshot '$held.2'"
grep -qx 'ERROR: a snapshot of the recorder was not saved completely' err || trouble "the writer was killed"
# taprun is killed: its session ends, and the module is not held by the process that still writes
"$TAPRUN" --snapshot t_small
wait_until writer
kill -KILL $pid
wait_until "$TAPRUN" -d t_small 2>/dev/null
gone t_small || fail "still loaded"
kill -KILL "$child"

# a full disk
mkdir full && mount -t tmpfs -o size=100k none full || fail mount
recorded perfetto full/trace ./t_small.ko
dd if=/dev/zero of=/dev/null bs=1 count=20000 status=none
kill -USR2 $pid
wait_until grep -qx 'ERROR: a snapshot of the recorder was not saved completely' err
grep -q "^ERROR: cannot write to 'full/trace.1.part': No space left on device" err || trouble "a full disk"
show full/trace.1 >shown && grep -q '^tapc: point the disk is full: later events are missing' shown || trouble "a full disk"
kill -TERM $pid
wait $pid || trouble "a full disk: $?"
umount full

# what is wrong
"$TAPRUN" ./t_exits.ko 2>err || trouble "no file: $?"
grep -qx 'WARNING: a snapshot was requested, but no file can have it: --output=perfetto, chrome or ctf and -o FILE' err ||
	trouble "no file"
mistake()
{
	local text=$1

	shift
	"$TAPRUN" "$@" >out 2>err
	grep -q "^ERROR: $text" err || fail "$*" "$(cat out err)"
}
mistake "recorder_start() has no events 'calls, faults': switches wakeups calls faults interrupts" ./t_wrong.ko 'events=calls, faults'
mistake 'the recorder can have 1 to 1048576 MB, not 0' ./t_wrong.ko megabytes=0
mistake 'not enough kernel memory for a recorder of 3000 MB' ./t_wrong.ko megabytes=3000
mistake 'the recorder cannot start with 1048576 MB on [0-9]* processors (error -34)' ./t_wrong.ko megabytes=1048576
mistake 'recorder_start() is for a probe of begin, once' ./t_wrong.ko again=1
mistake 'recorder_start() is for a probe of begin, once' ./t_late.ko
mistake "no snapshot of 'nothing': no such session" --snapshot nothing
start ./t_silent.ko
printed begin
"$TAPRUN" --snapshot t_silent 2>err2 && fail "nothing is recorded"
grep -qx "ERROR: no snapshot of 't_silent': the script records nothing: recorder_start() in a probe of begin does" err2 || fail "nothing is recorded" "$(cat err2)"
kill -TERM $pid
wait $pid
! lsmod | grep '^t_' || fail "still loaded"
