#!/bin/bash
# --output=firefox and chrome: the Firefox Profiler's own code, fetched by npm, shows the rows, slices, points, counters and stacks
# default: no
# sanitizers: no
# timeout: 500
. "$SRC/tests/lib/packages.sh"
. "$SRC/tests/lib/kernels.sh"
. "$SRC/tests/lib/npm.sh"
fail() { echo "$*"; exit 1; }
npm_modules "$SRC/tests/simulate/viewers"
export HOME=$PWD	# it keeps its sessions there
viewer() { timeout 100 node "$modules/node_modules/@firefox-devtools/profiler-cli/dist/profiler-cli.js" "$@"; }
cat >t.stp <<'END'
probe begin
{
	span_begin("outer", "thread:12:11:prog")
	instant("here", "thread:12:11:prog")
	counter("queue", 5)
	flow_from("wake", 77, "cpu:3")
	println("main;read;vfs_read 42")
	println("main;write 7")
}
probe timer.ms(10) { counter("queue", 2) flow_to("run", 77, "row") span_end("outer", "thread:12:11:prog") exit() }
END
"$TAPC" --simulate --output=firefox -o t.json t.stp || fail "tapc: $?"
viewer load t.json >out 2>&1 || fail "$(cat out)"
trap 'viewer stop --all >/dev/null' EXIT
viewer profile info --all --json >info.json || viewer profile info --json >info.json || fail "info"
viewer thread functions --thread t-4 --json >functions.json || fail "functions"
for n in 1 2 3; do
	viewer thread markers --list --thread t-$n --json >markers.$n || fail "markers"
done
viewer counter info c-0 --json >counter.json || fail "counter"
python3 - <<'END' || { cat info.json functions.json markers.* counter.json; exit 1; }
import json
load = lambda name: json.load(open(name))
rows = {(p['name'], p['pid'], t['name']) for p in load('info.json')['processes'] for t in p['threads']}
assert rows == {('tapc', 'tapc', 'tapc'), ('CPUs', 'CPUs', 'CPU 3'), ('tracks', 'tracks', 'row'), ('prog', '11', 'prog'),
	('stacks', 'stacks', 'stacks')}, rows
found = {f['name']: (f['selfSamples'], f['totalSamples']) for f in load('functions.json')['functions']}
assert found == {'main': (0, 49), 'read': (0, 42), 'vfs_read': (42, 42), 'write': (7, 7)}, found
def markers(n):
	return [(kind['markerName'], kind['isInterval'], m['start'], m.get('duration')) for kind in load(f'markers.{n}')['byType']
		for m in kind['topMarkers']]
assert [m[0] for m in markers(1)] == ['wake'] and [m[0] for m in markers(2)] == ['run'], (markers(1), markers(2))
assert sorted(markers(3)) == [('here', False, 0, None), ('outer', True, 0, 10)], markers(3)
assert load('counter.json')['name'] == 'queue', 'counter'
END
viewer stop --all >/dev/null

# it reads Chrome's events, too, but no counters
"$TAPC" --simulate --output=chrome -o t.json t.stp || fail "tapc: $?"
viewer load t.json >out 2>&1 || fail "$(cat out)"
for n in 0 1 2 3 4; do
	viewer thread markers --list --thread t-$n
done 2>&1 | sed -n 's/^  m-[0-9]* *//p' | sed 's/  */ /g; s/ .$//' | sort >out
diff - out <<'END' || fail "Chrome's events"
here t=0s instant
main;read;vfs_read 42 t=0s instant
main;write 7 t=0s instant
outer t=0s 10ms
run t=10ms 0s
wake t=0s 0s
END
