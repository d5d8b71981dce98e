#!/bin/bash
# --json: every tool of the gallery prints objects that conform to the schema, from start to exit, and only those
# default: no
# timeout: 1500
. "$SRC/tests/lib/session.sh"
python3 -c 'import jsonschema' || { echo "python3-jsonschema is not installed"; exit 77; }
modules=(j_*.ko)
[[ ${#modules[@]} = $(find "$SRC/examples" -name '*.stp' | wc -l) ]] || fail "not a module for each tool: ${#modules[@]}"
for module in "${modules[@]}"; do
	name=${module%.ko}
	"$TAPRUN" --json -c true "./$module" >"$name.json" 2>"$name.err"
	echo $? >"$name.status"
done
python3 - "$SRC/doc/json.schema.json" "${modules[@]%.ko}" <<'END' || fail "not all of them"
import json, sys, jsonschema
validator = jsonschema.Draft7Validator(json.load(open(sys.argv[1])))
bad = 0
def complain(name, *what):
	global bad
	bad = 1
	print(name, *what)
for name in sys.argv[2:]:
	lines = open(name + '.json', encoding='utf-8').read().splitlines()
	try:
		objects = [json.loads(line) for line in lines]
	except ValueError as e:
		complain(name, e, lines[:20])
		continue
	for o in objects:
		for e in validator.iter_errors(o):
			complain(name, e.message)
	status = int(open(name + '.status').read())
	# a virtual machine may lack performance counters
	allowed = (0, 5) if name == 'j_llcstat' else (0,)
	if status not in allowed or open(name + '.err').read():
		complain(name, 'status', status, open(name + '.err').read(), lines[-5:])
	elif objects[-1] != {'type': 'exit', 'status': status}:
		complain(name, 'the last object is', objects[-1])
	elif (objects[0]['type'], objects[0].get('module')) != ('start', name):
		complain(name, 'the first object is', objects[0])
	elif status == 0 and [o['errors'] for o in objects if o['type'] == 'session'] != [0]:
		complain(name, 'errors in the session', lines[-5:])
sys.exit(bad)
END
