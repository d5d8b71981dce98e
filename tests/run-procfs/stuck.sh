#!/bin/bash
# A user who may read a file can block in the middle of a read forever: the session still ends, and its files are closed; a process that just has one open keeps neither the file nor the module
# kernels: all
. "$SRC/tests/lib/session.sh"
allow_fuse
files=/proc/systemtap/t_stuck
id ann >/dev/null 2>&1 || useradd -M ann
as_ann() { setpriv --reuid ann --regid ann --init-groups "$@"; }
chmod a+rwx . && chmod a+rx silent hold

# only a descriptor
start ./t_stuck.ko
printed begin
wait_until test -e $files/g
exec 5<>$files/f
background holder ./hold epoll $files/g
wait_until contains holder holds
kill -INT $pid
wait $pid && [[ ! -s err ]] && gone t_stuck || fail "a descriptor keeps it: $?" "$(cat err)"
cat <&5 2>/dev/null && fail "it can still be read"
exec 5>&-
kill $!

for way in read write; do
	start ./t_stuck.ko
	printed begin
	wait_until test -e $files/g
	background holder as_ann ./silent $way $files/f 100
	wait_until contains holder 'keeps READ'
	kill -INT $pid
	wait $pid
	[[ $? = 8 ]] || fail "$way: taprun: $?" "$(cat err)"
	[[ $(tail -n 1 out) = end ]] || fail "$way: no end" "$(cat out)"
	grep -q "process [0-9]* (silent) has files of module 't_stuck' open" err || fail "$way: the holder is not reported" "$(cat err)"
	loaded t_stuck || fail "$way: unloaded under a $way"
	cat $files/f $files/g 2>/dev/null && fail "$way: it can still be read"
	kill -USR1 $(sed -n 's/server //p' holder)
	wait_until grep -q "$way: [1-9]" holder
	! grep -q wrote out || fail "a handler ran after the end"
	wait_until eval '"$TAPRUN" -d t_stuck 2>err'
	gone t_stuck && [[ ! -e $files ]] || fail "$way: left" "$(cat err)"
done
