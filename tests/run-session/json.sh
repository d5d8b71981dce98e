#!/bin/bash
# --output=json: every line is an object; text, histograms, globals, warnings, statistics and status are preserved
# kernels: all
. "$SRC/tests/lib/session.sh"
"$TAPRUN" --output=json -t -c 'echo from command; exec dd if=/dev/zero of=/dev/null bs=1 count=100 status=none' ./t_json.ko >out 2>err || fail "$?" "$(cat out err)"
[[ $(sort err) = $'from command\nfrom system' ]] || fail "others' output" "$(cat err)"
python3 - <<'END' || fail "$(cat out)"
import json, time
objects = [json.loads(line) for line in open('out', encoding='utf-8')]
def of(kind): return [o for o in objects if o['type'] == kind]
def check(what, value, wanted):
	if value != wanted:
		print(what, value, 'is not', wanted)
		raise SystemExit(1)
check('first', (objects[0]['type'], objects[0]['schema'], objects[0]['module']), ('start', 1, 't_json'))
check('time', abs(objects[0]['time'] - time.time()) < 1000, True)
check('span', [(o['name'], o['ns'] >= 5, o['track']) for o in of('span')], [('a "span"', True, 'row')])
check('counter', [(o['name'], o['value']) for o in of('counter')], [('c', -5)])
check('flow', [(o['name'], o['flow'], o['execname'], o['pid'] <= o['tid']) for o in of('flow_from')], [('f', 7, 'taprun', True)])
check('end', ['name' in o for o in of('span_end')], [False])
check('texts', ''.join(o['text'] for o in of('text')), 'a\tb "\u00e4\ufffd\x01\\" -5%\ntail')
check('warnings', [o['text'] for o in of('warning')], ['look'])
hist = of('histogram')
check('histogram', [(o['scale'], sum(b['count'] for b in o['buckets'])) for o in hist], [('log', 100)])
check('buckets', [(b['from'], b['to'], b['count']) for b in hist[0]['buckets'][-2:]], [(32, 63, 32), (64, 127, 37)])
globs = of('global')
check('names', sorted((o['keys'], o['value']) for o in globs if o['name'] == 'names'), [(['dd', 0], 50), (['dd', 1], 50)])
check('last', [(o['keys'], o['value']) for o in globs if o['name'] == 'last'], [([], 'x=1')])
pair = sorted((o['keys'][0], o['count'], o['min'], o['max'], o['sum'], o['avg']) for o in globs if o['name'] == 'pair')
check('pair', pair, [(0, 33, 3, 99, 1683, 51), (1, 34, 1, 100, 1717, 50), (2, 33, 2, 98, 1650, 50)])
hits = {o['point']: o['hits'] for o in of('probe')}
check('hits', hits['kernel.function("write_null")'] >= 100, True)
check('times', all(o['ns_min'] <= o['ns_max'] <= o['ns'] for o in of('probe') if 'ns' in o), True)
session = of('session')[0]
check('session', (session['errors'], session['lost'], session['skipped']['locks']), (0, 0, 0))
check('exit', objects[-1], {'type': 'exit', 'status': 0})
END
mv out out.json
"$TAPRUN" --output=json -o bad.json ./t_json_bad.ko >out 2>err
[[ $? = 1 && ! -s out && ! -s err ]] || fail "failing script" "$(cat out err)"
python3 - <<'END' || fail "$(cat bad.json)"
import json
objects = [json.loads(line) for line in open('bad.json')]
assert objects[-1] == {'type': 'exit', 'status': 1}
assert any(o['type'] == 'error' and 'no more' in o['text'] for o in objects)
assert [o['text'] for o in objects if o['type'] == 'text'] == ['before\n']
END

"$TAPRUN" --output=json ./none.ko >out 2>err
[[ $? = 5 && ! -s err && $(grep -c '^{"type":"error","text":"cannot read module .*none.ko' out) = 1 && $(tail -n 1 out) = '{"type":"exit","status":5}' ]] ||
	fail "no module" "$(cat out err)"
"$TAPRUN" --output=json -A none >out 2>err
[[ $? = 5 && ! -s err && $(wc -l <out) = 2 ]] || fail "no session" "$(cat out err)"

# -b: one file per CPU, which can be merged in order
"$TAPRUN" --output=json -b -o bulk -c 'for cpu in 0 1 0 1; do taskset -c $cpu dd if=/dev/zero of=/dev/null bs=1 count=50 status=none; done' \
	./t_json_bulk.ko 2>err || fail "-b: $?" "$(cat err)"
[[ -s bulk_cpu0 && -s bulk_cpu1 ]] || fail "-b: one processor wrote nothing" "$(ls bulk*)"
LC_ALL=C sort -m -t, -k2,2 bulk_cpu* >merged
python3 - <<'END' || fail "$(head -n 5 merged; cat bulk)"
import json
objects = [json.loads(line) for line in open('merged')]
assert [o['text'] for o in objects if o['text'] != 'begin\n'] == ['%d\n' % (n + 1) for n in range(200)]
assert [json.loads(line)['type'] for line in open('bulk')][:: 10 ** 6] == ['start']
END
tail -n 1 bulk | grep -qx '{"type":"exit","status":0}' || fail "bulk" "$(cat bulk)"

# reported losses are the records that did not arrive
"$TAPRUN" -v --output=json -s 1 -o lost.json ./t_json_bulk.ko 2>err & pid=$!
wait_until contains lost.json begin
kill -STOP $pid
taskset -c 0 dd if=/dev/zero of=/dev/null bs=1 count=60000 status=none
kill -CONT $pid
kill -TERM $pid
wait $pid || fail "losses: $?" "$(cat err)"
python3 - <<'END' || fail "$(grep -v '"text","time"' lost.json)"
import json
objects = [json.loads(line) for line in open('lost.json')]
arrived = [int(o['text']) for o in objects if o['type'] == 'text' and o['text'] != 'begin\n']
session = [o for o in objects if o['type'] == 'session'][0]
assert session['lost'] > 0 and len(arrived) + session['lost'] == 60000, (len(arrived), session)
assert arrived == sorted(set(arrived))
lost = [o for o in objects if o['type'] == 'lost']
assert sum(o['count'] for o in lost) == session['lost'], (lost, session)
assert [o['time'] for o in objects if 'time' in o] == sorted(o['time'] for o in objects if 'time' in o)
END

# all output conforms to the schema, and has no members that the schema does not define
sed -n '/"text","time"/!p' lost.json >lost
cat out.json bad.json bulk merged lost >all.json
python3 - "$SRC/doc/json.schema.json" <<'END'
import json, sys
try:
	import jsonschema
except ImportError:
	print('python3-jsonschema is not installed')
	sys.exit(77)
schema = json.load(open(sys.argv[1]))
jsonschema.Draft7Validator.check_schema(schema)
for kind in schema['definitions'].values():
	if kind.get('type') == 'object':
		kind['additionalProperties'] = False
validator = jsonschema.Draft7Validator(schema)
seen = set()
for line in open('all.json'):
	o = json.loads(line)
	seen.add(o['type'])
	validator.validate(o)
assert seen == {'start', 'text', 'histogram', 'global', 'lost', 'span', 'counter', 'flow_from', 'span_end', 'warning', 'error', 'note', 'probe', 'session', 'exit'}, seen
for bad in {}, {'type': 'exit'}, {'type': 'exit', 'status': '0'}, {'type': 'other'}:
	assert not validator.is_valid(bad), bad
END
status=$?
((status == 0 || status == 77)) || fail "$(head -n 50 all.json)"
exit $status
