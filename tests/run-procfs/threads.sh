#!/bin/bash
# Threads that read and write one descriptor concurrently get complete texts and never more than the file holds, also while one of them is stuck in the middle of a copy
# default: no
# kernels: all
. "$SRC/tests/lib/session.sh"
allow_fuse
start ./t_threads.ko
printed begin
file=/proc/systemtap/t_threads/f
wait_until test -e $file

# the last 1904 bytes are blocked while the descriptor's other user turns the text and reads it
exec 5<>$file
./silent -g 4096 -k text pread - 6000 <&5 >reader &
wait_until contains reader 'keeps READ'
{ echo turn >&5; ./silent -g 65536 pread - 6000 <&5 >/dev/null; } & other=$!
sleep 0.5
kill -USR1 $(sed -n 's/server //p' reader)
wait_until contains reader 'pread: '
grep -q 'pread: 6000' reader || fail "a stuck read" "$(cat reader)"
[[ $(tr -s ab <text) = ab && $(tr -d a <text | wc -c) = 3000 ]] || fail "a stuck read got two texts" "$(tr -s ab <text)"
wait $other || fail "the other user"
exec 5>&-
echo straight >$file

./threads $file 5 6000 || fail "threads"
kill -INT $pid
wait $pid || fail "taprun: $?" "$(cat err)"
[[ ! -s err ]] || fail "$(cat err)"
