#!/bin/bash
# The prints of one handler stay together: also if an interrupt handler prints in between, and if records are lost
# kernels: all
# host: "$TAPC" $TAPC_ARGS --suppress-time-limits -p4 -m t_nested -e 'global n, m probe kernel.function("write_null") { printf("%d:", n); for (i = 0; i < (n % 50 ? 9 : 2000); i++) printf(" %d", i); printf(" %d\n", n); n++ } probe timer.us(100) { printf("t%d-", m); printf("-t%d\n", m); m++ } probe end { printf("made %d %d\n", n, m) }'
# host: "$TAPC" $TAPC_ARGS -p4 -m t_pieces -e 'global n probe kernel.function("write_null") { printf("%d:", n); for (i = 0; i < 9; i++) printf(" %d", i); printf(" %d\n", n); n++ } probe end { printf("made %d\n", n) }'
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

start -c 'exec dd if=/dev/zero of=/dev/null bs=1 count=60000 status=none' ./t_pieces.ko
printed .
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
