#!/bin/bash
# begin and end wait for their reader: they print more than fits in the buffers and lose nothing; they do not wait forever for a stopped reader
# default: no
# kernels: all
# timeout: 450
# A line is longer than half of a handler's buffer, and is therefore a record.
. "$SRC/tests/lib/session.sh"
zeros=$(printf '%0990d' 7)
for ((i = 0; i < 2000; i++)); do echo "$i $zeros$zeros$zeros$zeros$zeros"; done >wanted
"$TAPRUN" ./t_much.ko >out 2>err || fail "a quick reader: $?" "$(cat err)"
cmp wanted out || fail "a quick reader" "$(cat err)"
[[ ! -s err ]] || fail "a quick reader" "$(cat err)"

mkfifo /tmp/pipe
{ head -c 1000; sleep 4; cat; } </tmp/pipe >out & reader=$!
"$TAPRUN" ./t_much.ko >/tmp/pipe 2>err || fail "a slow reader: $?" "$(cat err)"
wait $reader
cmp wanted out || fail "a slow reader" "$(cat err)"
[[ ! -s err ]] || fail "a slow reader" "$(cat err)"

# STOP may come too late, when all is printed
for _ in 1 2 3 4 5; do
	start ./t_much.ko
	until [[ -e /proc/tap:t_much/cpu0 ]]; do :; done
	kill -STOP $pid
	sleep 4
	kill -CONT $pid
	wait $pid || fail "taprun stopped: $?" "$(cat err)"
	lost=$(sed -n 's/^WARNING: Lost records: \([0-9]*\) of 2000,.*/\1/p' err)
	echo "taprun stopped: lost ${lost:=0}, got $(wc -l <out)"
	[[ $((lost + $(wc -l <out))) = 2000 ]] || fail "$(cat err)"
	[[ -z $(comm -13 <(sort wanted) <(sort out)) ]] || fail "torn lines"
	sort -n -c out || fail "order"
	((!lost)) || exit 0
done
fail "nothing was lost while taprun stood still"
