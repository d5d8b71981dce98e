#!/bin/bash
# --output=perfetto, chrome, firefox and ctf of a session: the system calls of a command whose sleeps and wake-ups are known;
# lost records are marked where they are missing; a full disk leaves a file that viewers open. The files are read by
# timeline.check.
# timeout: 400
. "$SRC/tests/lib/session.sh"
for format in perfetto chrome firefox ctf; do
	"$TAPRUN" --output=$format -s 8 -o trace.$format -c "exec ./command slept.$format" ./t_calls.ko >out 2>err ||
		fail "$format: $?" "$(cat err)"
	[[ ! -s err && ! -s out ]] || fail "$format: messages" "$(cat out err)"
done
most_wakes >most-wakes

# losses
"$TAPRUN" --output=perfetto -s 1 -o lost ./t_lines.ko 2>err & pid=$!
wait_until test -s lost
kill -STOP $pid
taskset -c 0 dd if=/dev/zero of=/dev/null bs=1 count=60000 status=none
kill -CONT $pid
kill -TERM $pid
wait $pid || fail "losses: $?" "$(cat err)"
mv err lost.err

# a full disk
mkdir full && mount -t tmpfs -o size=100k none full || fail mount
for format in perfetto chrome firefox; do
	"$TAPRUN" --output=$format -s 8 -o full/trace -c 'exec dd if=/dev/zero of=/dev/null bs=1 count=20000 status=none' \
		./t_lines.ko 2>err
	[[ $? = 8 ]] && grep -qx "ERROR: cannot write to 'full/trace': No space left on device" err ||
		{ umount full; fail "a full disk" "$(cat err)"; }
	mv full/trace full.$format
done
umount full

# a function's entry and return are a slice, of the command
dd if=/dev/zero of=/dev/null bs=1 count=10 status=none &
"$TAPRUN" --output=perfetto -o pairs -c 'exec dd if=/dev/zero of=/dev/null bs=1 count=50 status=none' ./t_pairs.ko 2>err ||
	fail "pairs" "$(cat err)"

# there is one file
"$TAPRUN" --output=chrome -o one ./t_lines.ko 2>err & pid=$!
wait_until test -s one
kill -USR2 $pid
wait_until grep -qx 'WARNING: a timeline is one file: there is no next one' err
kill -TERM $pid
wait $pid && [[ ! -e one.1 ]] || fail "the next file" "$(cat err; ls)"
"$TAPRUN" --output=chrome -o silent ./t_silent.ko 2>err
[[ $? = 2 ]] && grep -qx 'ERROR: the script prints nothing for this --output: it shows .*' err || fail "silent" "$(cat err)"
