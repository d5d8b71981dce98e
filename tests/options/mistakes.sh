#!/bin/bash
# Unknown functions, probe points, variables, wrong arity and types: all are reported together, each once, status 3
cat >x.stp <<'S'
probe begin { no_such_function(1) }
probe no.such.point { }
probe begin { println(undefined_name[1]) }
probe begin { exit(1, 2) }
probe begin { exit(1) }
probe end { s = substr("x") }
S
# shellcheck disable=SC2086
"$TAPC" $TAPC_ARGS -p2 x.stp >out 2>err
status=$?
cat err
[[ $status = 3 && ! -s out ]] || exit 1
for line in 1 2 3 4 5 6; do
	[[ $(grep -c "^x.stp:$line:[0-9]*: error:" err) = 1 ]] || { echo "line $line: not one error"; exit 1; }
done
# types are checked once names are right
"$TAPC" $TAPC_ARGS -p2 -e 'probe begin { x = 1; x = "text"; println(x) } probe end { println("a" + 1) }' >out 2>err
status=$?
cat err
[[ $status = 3 && ! -s out && $(grep -c ' error: ' err) = 2 ]] || exit 1
# with two scripts neither is used
"$TAPC" --simulate -e 'probe begin { println("one") exit() }' -e 'probe begin { println("two") exit() }' >out 2>err
status=$?
cat err
[[ $status = 2 && ! -s out ]] && grep -q 'there is one script' err
