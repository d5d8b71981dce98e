#!/bin/bash
# --output=folded and pprof: folded stacks that a script prints, with the sum of their counts; pprof is read by a decoder
# that checks gzip and each field, and by go tool pprof, if it is installed
cat >t.stp <<'END'
global s
probe begin
{
	s["main;read;vfs_read"] = 6
	s["main;read;vfs_read;copy"] = 2
	s["main;\377 \"ä\";copy"] = 4
	foreach (one in s) printf("%s %d\n", one, s[one])
	println("main;read;vfs_read 10")
	println("no stack")
	instant("no line")
	for (i = 0; i < 20000; i++) printf("main;f%d %d\n", i % 3000, 1)
}
END
fail() { echo "$*"; exit 1; }
for format in folded pprof; do
	"$TAPC" --simulate -D MAXACTION_INTERRUPTIBLE=1000000 --output=$format -o t.$format t.stp 2>err || fail "tapc: $? $(cat err)"
	grep -qx 'WARNING: 2 lines or events are not folded stacks, and are not in the file' err || fail "$(cat err)"
done
LC_ALL=C sort t.folded >sorted
{ for ((i = 0; i < 3000; i++)); do echo "main;f$i $((i < 2000 ? 7 : 6))"; done
printf '%s\n' 'main;read;vfs_read 16' 'main;read;vfs_read;copy 2' $'main;\377 "ä";copy 4'; } | LC_ALL=C sort | cmp - sorted || fail folded
python3 - <<'END' || fail pprof
import gzip, os, sys
sys.path.insert(0, os.environ['SRC'] + '/tests/lib')
from timeline import known, message, text, varint
strings, functions, locations, samples, kinds = [], {}, {}, {}, []
for field, value in message(gzip.open('t.pprof').read()):
	if field == 1:
		kinds.append(known(value, 'ValueType', type=1, unit=2))
	elif field == 2:
		fields = message(value)
		assert all(f in (1, 2) for f, _ in fields) and len([f for f, _ in fields if f == 2]) == 1
		stack = tuple(v for f, v in fields if f == 1)
		assert stack not in samples
		samples[stack] = fields[-1][1]
	elif field == 4:
		location = known(value, 'Location', id=1, line=4)
		assert location['id'] and location['id'] not in locations
		locations[location['id']] = known(location['line'], 'Line', function=1)['function']
	elif field == 5:
		function = known(value, 'Function', id=1, name=2)
		assert function['id'] and function['id'] not in functions
		functions[function['id']] = function['name']
	else:
		assert field == 6, field
		strings.append(text(value))
assert strings[0] == '' and len(set(strings)) == len(strings)
assert [(strings[k['type']], strings[k['unit']]) for k in kinds] == [('samples', 'count')]
lines = {';'.join(strings[functions[locations[l]]] for l in reversed(stack)): n for stack, n in samples.items()}
wanted = dict(line.rsplit(' ', 1) for line in open('t.folded', encoding='utf-8', errors='replace').read().splitlines())
assert lines == {stack: int(n) for stack, n in wanted.items()}, set(lines.items()) ^ set(wanted.items())
END
if type -P go >/dev/null; then
	go tool pprof -top -nodefraction=0 t.pprof >top 2>err || fail "go tool pprof: $(cat err)"
	grep -q '^ *16 .* 18 .* vfs_read$' top && grep -q '^Type: samples' top || fail "go tool pprof: $(cat top err)"
fi
"$TAPC" --simulate --output=pprof -e 'probe begin { printf("%s\n", "x"); instant("y") }' >out 2>err && fail "not refused"
grep -qF 'ERROR: the script prints nothing for this --output: it shows folded stacks, lines such as "main;read;vfs_read 42" (fold_stacks() makes them)' err ||
	fail "$(cat err)"
"$TAPC" --simulate --output=pprof -e 'probe begin { println("main;read 5") }' | gzip -t || fail "a pipe"
