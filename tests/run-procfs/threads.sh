#!/bin/bash
# Threads that read and write one descriptor at once get whole texts and never more than the file holds
# kernels: all
# host: gcc -O2 -pthread -o threads "$SRC/tests/run-procfs/threads.c"
# host: "$TAPC" $TAPC_ARGS --no-global-var-display -DMAXSTRINGLEN=4000 -DMAXACTION=100000 -DSTP_NO_OVERLOAD -p4 -m t_threads -e 'global a, b probe begin { for (i = 0; i < 3000; i++) { a .= "a"; b .= "b" } println("begin") } probe procfs("f").read.maxsize(6000) { $value = a; $value .= b } probe procfs("f").write { } probe timer.s(100) { }'
. "$SRC/tests/lib/session.sh"
start ./t_threads.ko
printed begin
file=/proc/systemtap/t_threads/f
wait_until test -e $file

./threads $file 5 6000 || fail "threads"
kill -INT $pid
wait $pid || fail "taprun: $?" "$(cat err)"
[[ ! -s err ]] || fail "$(cat err)"
