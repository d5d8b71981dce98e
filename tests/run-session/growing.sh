#!/bin/bash
# Buffers grow while their reader is stopped, and nothing is lost; -s limits that, and losses are counted; the memory is given back
# default: no
# kernels: all
# timeout: 300
. "$SRC/tests/lib/session.sh"
count=40000		# records of 40 bytes: three times what fits in a buffer that has not grown
write() { taskset -c 0 dd if=/dev/zero of=/dev/null bs=1 count=$count status=none; }
memory() { "$TAPRUN" --sessions | awk '$1 == "t_growing" { sub("K", "", $9); print $9 }'; }
has_shrunk() { [[ $(memory) = "$before" ]]; }
# stopped NAME OPTION...: a session that is stopped while records are made; sets before, during, lost
stopped()
{
	local name=$1 lines

	shift
	start "$@" ./t_growing.ko
	printed begin
	before=$(memory)
	kill -STOP $pid
	write
	during=$(memory)
	kill -CONT $pid
	wait_until has_shrunk
	kill -TERM $pid
	wait $pid || fail "$name: $?" "$(cat err)"
	lost=$(sed -n 's/^WARNING: Lost records: \([0-9]*\) of .*/\1/p' err)
	lines=$(grep -cE '^[0-9]+ 0{60}$' out)
	echo "$name: $before KB, $during KB; got $lines, lost ${lost:=0}"
	[[ $(tail -n 1 out) = "made $count" && $((lines + lost)) = "$count" && $(wc -l <out) = $((lines + 2)) ]] ||
		fail "$name" "$(tail -n 5 err out)"
	sed '1d; $d' out | sort -n -c || fail "$name: order"
}
stopped "by default"
((!lost && during > before + 1000)) || fail "it did not grow enough" "$(cat err)"
stopped "-s 1" -s 1
((lost > 0 && during > before + 400 && during <= before + 512)) || fail "-s" "$(cat err)"

# Records in the order in which they were made, by reads of any size: some that were moved, and then the rest.
taskset -c 0 "$TAPRUN" -L -s 4 ./t_growing.ko || fail "-L: $?"
before=$(memory)
write
during=$(memory)
dd if=/proc/tap:t_growing/cpu0 bs=3000 count=200 of=some status=none || fail "read"
((during > before + 1000 && $(memory) < during - 400)) || fail "reads gave nothing back: $before, $during, $(memory)"
"$TAPRUN" --stop t_growing >out 2>err || fail "--stop: $?" "$(cat err)"
# 24 bytes for "begin", 16 for a heartbeat
first=$((($(stat -c %s some) - 24 - 200 * 16) / 40))
cmp <(seq -f '%.0f' "$first" $((count - 1))) <(sed -n 's/ 0*$//p' out) || fail "the rest" "$first" "$(head -n 3 out; cat err)"
grep -q Lost err && fail "lost" "$(cat err)"
exit 0
