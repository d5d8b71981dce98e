#!/bin/bash
# Unanswered questions for files keep no file system busy, and a process stuck in the middle of reading one does not prevent others from answering
# kernels: all
. "$SRC/tests/lib/session.sh"
allow_fuse
images=/proc/tap:t_ask/images
mkdir -p /run/other
# its file has been seen
ask()
{
	mount -t tmpfs other /run/other && cp "$(type -P dd)" /run/other/asker || fail "no asker"
	/run/other/asker if=/dev/zero of=/dev/null bs=1 count=10 status=none || fail "asker"
}
insmod ./t_ask.ko || fail insmod
exec 3<>/proc/tap:t_ask/control
start_command >&3 || fail TAP_START

ask
umount /run/other || fail "no process answers, and the file is in use"

exec 4<>$images
ask
wait_until umount /run/other 2>/dev/null

./silent pread - 4096 <&4 >reader 2>&1 &
wait_until contains reader server
ask
wait_until contains reader 'keeps READ'
head -c 4096 /dev/zero | dd bs=4096 count=1 status=none >&4 2>err && fail "nonsense is an answer"
grep -q 'Invalid argument' err || fail "an answer" "$(cat err)"
kill -USR1 $(sed -n 's/server //p' reader)
wait_until contains reader 'pread: 4096'
wait_until umount /run/other 2>/dev/null
exec 4>&- 3>&-
rmmod t_ask
