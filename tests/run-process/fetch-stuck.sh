#!/bin/bash
# A program whose pages never come, or all whose threads fetch, keeps neither a session from ending nor its module loaded
# default: no
# kernels: all
# timeout: 300
. "$SRC/tests/lib/session.sh"
allow_fuse
ended() { ! kill -0 "$pid" 2>/dev/null; }

# session RESULT: while the program goes on
session()
{
	start -v ./t_stuck.ko
	printed begin
	printed much
	kill -INT $pid
	wait_until ended
	wait $pid || fail "taprun: $?" "$(cat err)"
	[[ $(tail -n 1 out) = "$1" ]] || fail "not '$1'" "$(tail out err)"
	gone t_stuck || fail "still loaded"
	kill -0 "$program" || fail "the program has ended"
}

echo 1 >/proc/sys/vm/unprivileged_userfaultfd
background state ./fetch-stuck uffd
program=$!
wait_until contains state works
session 'read none, failed some'
kill $program

background state ./silent -u exec ./fetch-stuck fuse
silent=$!
wait_until contains state works
program=$(pgrep -P $silent fetch-stuck)
session 'read none, failed some'
grep -q 'keeps READ' state && fail "a page of the file was asked for" "$(cat state)"
kill "$program" $(sed -n 's/server //p' state)

background state ./fetch-stuck load
program=$!
wait_until contains state works
for _ in 1 2 3; do session 'read some, failed none'; done
grep -q 'memory of programs was fetched for [0-9]* reads, and could not be for 0$' err || fail "the counts" "$(cat err)"
kill $program
