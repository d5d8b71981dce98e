#!/bin/bash
# A loader and then its reader are stopped for three minutes under load: the records that arrived and those reported as lost add up
# default: no
# timeout: 1500
. "$SRC/tests/lib/session.sh"
work='while [ ! -e enough ]; do dd if=/dev/zero of=/dev/null bs=1 count=2000 status=none; done'
check()
{
	local made lost lines

	made=$(sed -n 's/^made //p' out)
	lost=$(sed -n 's/^WARNING: Lost records: \([0-9]*\) of .*/\1/p' err)
	lines=$(grep -cE '^[0-9]+ 0{60}$' out)
	echo "$1: made ${made:=0}, lost ${lost:=0}, got $lines"
	[[ $lost -gt 0 && $((lines + lost)) = "$made" && $(($(wc -l <out) - 1)) = "$lines" ]] || fail "$1" "$(tail -n 5 err)"
	sort -n -c -k1,1 <(grep -v made out) || fail "$1: order"
	gone t_stopped || fail "$1: left"
}
stop_for_long()
{
	printed
	kill -STOP "$1"
	sleep 180
	kill -CONT "$1"
	touch enough
}
start -s 1 -c "$work" ./t_stopped.ko
stop_for_long $pid
wait $pid
check "taprun stopped"
rm -f out enough
mkfifo /tmp/pipe
cat /tmp/pipe >out & reader=$!
"$TAPRUN" -s 1 -c "$work" ./t_stopped.ko >/tmp/pipe 2>err & pid=$!
stop_for_long $reader
wait $pid $reader
check "its reader stopped"
