#!/bin/bash
# A reader of taprun's that is stopped for 2 s may lose records: those that arrived and those reported as lost add up
# kernels: all
# timeout: 360
. "$SRC/tests/lib/session.sh"
check()		# PATTERN of the status, name
{
	local made lost lines

	made=$(sed -n 's/^made //p' out)
	lost=$(sed -n 's/^WARNING: Lost records: \([0-9]*\) of .*/\1/p' err)
	lines=$(grep -cE '^[0-9]+ [0-9]{60}$' out)
	echo "$1: made ${made:=0}, lost ${lost:=0}, got $lines"
	[[ $made -ge 30000 && $((lines + lost)) = "$made" ]] || fail "$1" "$(tail -n 5 err)"
	[[ $(($(wc -l <out) - 1)) = "$lines" ]] || fail "$1: torn lines" "$(grep -vE '^[0-9]+ [0-9]{60}$' out | head)"
	sort -n -c -k1,1 <(grep -v made out) || fail "$1: order"
}
work='exec dd if=/dev/zero of=/dev/null bs=1 count=30000 status=none'
"$TAPRUN" -c "$work" ./t_stopped.ko >out 2>err
check "nobody stopped"
rm -f out
mkfifo /tmp/pipe
cat /tmp/pipe >out & reader=$!
"$TAPRUN" -c "$work" ./t_stopped.ko >/tmp/pipe 2>err & pid=$!
printed
kill -STOP $reader
sleep 2
kill -CONT $reader
wait $pid $reader
check "its reader stopped"
