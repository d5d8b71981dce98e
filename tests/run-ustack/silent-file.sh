#!/bin/bash
# A mapped file whose file system never completes an open keeps neither a session from ending nor its module loaded
# kernels: all
. "$SRC/tests/lib/session.sh"
allow_fuse
./silent -l map >adversary &
wait_until contains adversary mapped
start ./t_silent.ko
printed begin
wait_until contains adversary 'keeps OPEN'
kill -INT $pid
ended() { ! kill -0 $pid 2>/dev/null; }
wait_until ended
wait $pid || fail "taprun: $?" "$(cat err)"
[[ $(tail -n 1 out) = end ]] || fail "no end" "$(cat out err)"
grep -q 'its file system does not answer' err || fail "not reported" "$(cat err)"
gone t_silent
kill $(sed -n 's/server //p' adversary)
