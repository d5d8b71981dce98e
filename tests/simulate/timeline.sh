#!/bin/bash
# Each function of the timeline, as a line and in each format: what viewers draw is the same, and as expected
cat >t.stp <<'END'
global n
probe begin
{
	counter("queue", 5)
	span_begin("outer")
	span_begin("in\"ner")
	instant("here")
	printf("a line %d\nsecond", 4)
	print(" half\n")
}
probe timer.ms(10)
{
	n++
	if (n == 1) {
		flow_from("wake", 77)
		flow_from("wake", -1, track_cpu(2))
	} else if (n == 2) {
		span_end()
		flow_to("run", 77, "disk")
		flow_to("run", -1)
	} else if (n == 3) {
		span_end("outer")
		span_begin("x", "cpu")
		span_begin("y", track_cpu(3))
		span_begin("z", "thread:12:11:other")
		instant("point", "cpu")
	} else if (n == 4) {
		span_end("x", "cpu:1")
		counter("queue", -3, "cpu")
		counter("queue", 3, "disk")
	} else
		exit()
}
END
fail() { echo "$*"; exit 1; }
for format in perfetto chrome firefox; do
	"$TAPC" --simulate --output=$format -o trace.$format t.stp || fail "tapc: $?"
	python3 "$SRC/tests/lib/timeline.py" $format trace.$format >out.$format || fail $format
	[[ $format != firefox ]] || sort -o out.$format out.$format	# its events are by row
	diff <(if [[ $format = firefox ]]; then sort; else cat; fi <<'END'
all: counter queue 0 5
simulated/simulated: point here 0
CPU 0: point a line 4 0
CPU 0: point second half 0
simulated/simulated: slice outer 0 30000000
simulated/simulated: slice in"ner 0 20000000
simulated/simulated: point wake 10000000 from 77
CPU 2: point wake 10000000 from 18446744073709551615
disk: point run 20000000 to 77
simulated/simulated: point run 20000000 to 18446744073709551615
CPU 1: point point 30000000
CPU 1: slice x 30000000 10000000
CPU 3: slice y 30000000 open
other/other: slice z 30000000 open
CPU 0: counter queue 40000000 -3
disk: counter queue 40000000 3
END
	) out.$format || fail "what $format shows"
done
"$TAPC" --simulate t.stp | sed 's|[0-9]*/[0-9]*\]|PID/TID]|' >lines || fail "lines"
diff - lines <<'END' || fail "lines"
counter queue = 5
span_begin outer [simulated PID/TID]
span_begin in"ner [simulated PID/TID]
instant here [simulated PID/TID]
a line 4
second half
flow_from wake 77 [simulated PID/TID]
flow_from wake -1 [cpu:2]
span_end [simulated PID/TID]
flow_to run 77 [disk]
flow_to run -1 [simulated PID/TID]
span_end outer [simulated PID/TID]
span_begin x [cpu]
span_begin y [cpu:3]
span_begin z [thread:12:11:other]
instant point [cpu]
span_end x [cpu:1]
counter queue = -3 [cpu]
counter queue = 3 [disk]
END

# spans start in either clock
cat >spans.stp <<'END'
probe begin { span("a", ktime_get_ns() - 1000000000) span("b", gettimeofday_ns() - 1000000000, "row") }
probe timer.s(9) { span("c", ktime_get_ns() - 1000000000) span("d", gettimeofday_ns() - 1000000000, "row") exit() }
END
for format in perfetto chrome firefox; do
	"$TAPC" --simulate --output=$format -o trace spans.stp || fail "spans: $?"
	python3 "$SRC/tests/lib/timeline.py" $format trace >out || fail spans
	awk '/slice [cd]/ && $4 > 7.5e9 && $4 <= 8e9 && $5 >= 1e9 && $5 < 1.5e9 { n++ } END { exit n != 2 }' out ||
		fail "spans: $(cat out)"
done

# slices that ended before now nest: those inside come first
"$TAPC" --simulate --output=chrome -o trace -e 'probe timer.s(9) {
	span_ago("b", 1000000000, 2000000000, "row")
	span_ago("a", 3000000000, 1000000000, "row")
	span_ago("start", 1, 1000000000000, "row")
	exit()
}' || fail "ago: $?"
python3 "$SRC/tests/lib/timeline.py" chrome trace >out || fail ago
grep -c "^row: slice a [0-9]* 3000000000$\|^row: slice b [0-9]* 1000000000$\|^row.*: slice start 0 0$" out | grep -qx 3 ||
	fail "ago: $(cat out)"
awk '$3 == "a" { a = $4 } $3 == "b" { b = $4 } END { exit !(b > a) }' out || fail "ago: $(cat out)"

# what is not drawn is reported
"$TAPC" --simulate --output=chrome -v -o trace -e 'probe begin {
	span_end()
	for (i = 0; i < 260; i++) span_begin("deep")
	span("x", ktime_get_ns() + 1000000000)
}' >out 2>err || fail "warnings: $?"
for text in "1 spans would end before they start: span() takes ns of gettimeofday_ns() or ktime_get_ns()" \
	"10 slices are in more slices than viewers show, and are not in the file" \
	"1 calls of span_end() found no slice that had begun"; do
	grep -qxF "WARNING: $text" err || fail "warnings: $(cat err)"
done
python3 "$SRC/tests/lib/timeline.py" chrome trace >out || fail warnings

# to standard output
"$TAPC" --simulate --output=chrome t.stp | python3 "$SRC/tests/lib/timeline.py" chrome /dev/stdin >out || fail pipe
[[ $(wc -l <out) = 16 ]] || fail "pipe: $(cat out)"

refused()	# STATUS MESSAGE ARGUMENT...
{
	local status

	"$TAPC" "${@:3}" >out 2>err </dev/null
	status=$?
	[[ $status = "$1" && ! -s out ]] && grep -qF -- "$2" err || fail "not refused: $status $2: $(cat out err)"
}
refused 2 "ERROR: the script prints nothing for this --output: it shows span_begin(), span_end(), span(), instant(), counter() or lines" --simulate --output=perfetto -e 'probe begin { exit() }'
refused 2 "--simulate prints text, not JSON" --simulate --output=json t.stp
refused 2 "--output=chrome is one file, of one session: not with --bound, --check and several --remote, and --vm needs -o FILE" \
	--output=chrome --vm t.stp
refused 2 "--output=perfetto is one file, of one session" --output=perfetto --check t.stp
refused 2 "--output=perfetto is one file, of one session" --output=perfetto --remote a --remote b t.stp
refused 2 "--output takes text, json, perfetto, chrome, firefox, ctf, folded, pprof, csv, parquet, arrow, sql, sqlite, not 'xml'" --output=xml t.stp
script -qec "$(printf '%q ' "$TAPC" --simulate --output=perfetto t.stp)" /dev/null </dev/null >out 2>&1
grep -q "ERROR: a timeline is for a viewer, not for a terminal: -o FILE writes it to a file" out || fail "a terminal: $(cat out)"
