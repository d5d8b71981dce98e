#!/bin/bash
# --output=ctf: babeltrace2 reads what each function has printed, and counts what was lost; a full disk leaves whole packets
# sanitizers: no
type -P babeltrace2 >/dev/null || { echo "babeltrace2 is not installed"; exit 77; }
fail() { echo "$*"; exit 1; }
cat >t.stp <<'END'
global n
probe begin { counter("queue", 5) span_begin("outer") instant("h\303\244 \"re\"") printf("a line %d\n", 4) }
probe timer.ms(10) {
	n++
	if (n == 1) flow_from("wake", -1)
	if (n == 2) { span_end() flow_to("run", 77, "disk") span("s", ktime_get_ns() + 1000000000, track_cpu(3)) }
	if (n == 3) { counter("queue", -3, "thread:12:11:other") exit() }
}
END
"$TAPC" --simulate -w --output=ctf -o trace t.stp || fail "tapc: $?"
babeltrace2 --clock-cycles --no-delta trace >out 2>err && [[ ! -s err ]] || fail "$(cat err)"
sed -i 's/pid = [0-9]*\([0-9]\{2\}\), tid = [0-9]*\1\b/pid = PID, tid = TID/; s/(+.*) //' out
diff - out <<'END' || fail "events"
[00000000000000000000] counter: { row = "all", pid = -1, tid = -1 }, { name = "queue", value = 5 }
[00000000000000000000] span_begin: { row = "simulated", pid = PID, tid = TID }, { name = "outer" }
[00000000000000000000] instant: { row = "simulated", pid = PID, tid = TID }, { name = "hä \"re\"" }
[00000000000000000000] instant: { row = "CPU 0", pid = -1, tid = -1 }, { name = "a line 4" }
[00000000000010000000] flow_from: { row = "simulated", pid = PID, tid = TID }, { name = "wake", flow = 18446744073709551615 }
[00000000000020000000] span_end: { row = "simulated", pid = PID, tid = TID }, { }
[00000000000020000000] flow_to: { row = "disk", pid = -1, tid = -1 }, { name = "run", flow = 77 }
[00000000000020000000] span: { row = "CPU 3", pid = -1, tid = -1 }, { name = "s", start = 20000000, ns = 0 }
[00000000000030000000] counter: { row = "other", pid = 11, tid = 12 }, { name = "queue", value = -3 }
END
"$TAPC" --simulate --output=ctf t.stp 2>err && fail "no folder"
grep -qx "ERROR: this --output is a folder: -o FOLDER names it" err || fail "$(cat err)"
"$TAPC" --simulate --output=ctf -o /no/such/folder t.stp 2>err && fail "no folder"
grep -qx "ERROR: cannot write to '/no/such/folder'" err || fail "$(cat err)"

make -s -C "$BUILD" tests/unit/staging-timeline >log 2>&1 || { cat log; exit 1; }
"$BUILD/tests/unit/staging-timeline" ctf whole 100000000000 2>err
babeltrace2 whole >out 2>err && [[ ! -s err ]] && [[ $(wc -l <out) = 20000 ]] || fail "whole: $(wc -l <out) $(cat err)"
for most in 100000 200001; do
	"$BUILD/tests/unit/staging-timeline" ctf cut $most 2>err || fail "full: $?"
	babeltrace2 cut >out 2>err && [[ ! -s err ]] || fail "full: $(cat err)"
	tail -n 1 out | grep -q 'row = "tapc".*the disk is full: later events are missing' && [[ $(wc -l <out) -gt 500 ]] || fail "full: $(wc -l <out)"
done
