#!/bin/bash
# The prints of one handler stay together: also if an interrupt handler prints in between, and if records are lost
# kernels: all
. "$SRC/tests/lib/session.sh"
"$TAPRUN" -s 8 -c 'exec dd if=/dev/zero of=/dev/null bs=1 count=3000 status=none' ./t_nested.ko >out 2>err ||
	fail "status $?" "$(tail -n 5 err)"
awk 'BEGIN { seen = seen_ticks = 0 }
	/^made/ { made = $2; ticks = $3; next }
	/^t/ { seen_ticks += $0 == "t" seen_ticks "--t" seen_ticks; next }
	{
		good = $1 == seen ":" && $NF == seen && NF == (seen % 50 ? 11 : 2002)
		for (i = 2; i < NF; i++) good = good && $i == i - 2
		seen += good
	}
	END {
		print "made", made, ticks, "whole", seen, seen_ticks
		exit !(made >= 3000 && seen == made && ticks > 100 && seen_ticks == ticks)
	}' out || fail "nested" "$(cat err)" "$(cut -c -60 out | grep -vE '^(t?[0-9]+--t[0-9]+|[0-9]+: 0 1 2 .*)$' | head -n 5)"

start -s 1 -c 'exec dd if=/dev/zero of=/dev/null bs=1 count=60000 status=none' ./t_pieces.ko
printed
kill -STOP $pid
sleep 2
kill -CONT $pid
wait $pid || fail "status $?" "$(tail -n 5 err)"
made=$(sed -n 's/^made //p' out)
lost=$(sed -n 's/^WARNING: Lost records: \([0-9]*\) of .*/\1/p' err)
whole=$(awk '$0 == ($1 + 0) ": 0 1 2 3 4 5 6 7 8 " ($1 + 0)' out | wc -l)
echo "made ${made:=0}, lost ${lost:=0}, whole $whole"
[[ $made -ge 60000 && $lost -gt 0 && $((whole + lost)) = "$made" && $(wc -l <out) = $((whole + 1)) ]] ||
	fail "pieces" "$(grep -vE '^[0-9]+: 0 1 2 3 4 5 6 7 8 [0-9]+$' out | head -n 5)"
