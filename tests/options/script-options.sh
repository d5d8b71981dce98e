#!/bin/bash
# A script with @option has options and a --help of its own; others' words behind the script stay its arguments
fail() { echo "$*"; cat out err; exit 1; }
cat >x.stp <<'S'
global count = @option("count", 5, "how many")
probe begin { println(count); exit() }
S
"$TAPC" x.stp --help >out 2>err
[[ $? = 0 ]] && grep -q -- '--count' out && grep -q 'how many' out || {
	grep -q '@option' err && { echo "the syntax of @option is another"; exit 77; }
	fail --help
}
# shellcheck disable=SC2086
{
	"$TAPC" $TAPC_ARGS -p3 x.stp --count=77 >out 2>err && grep -q 77 out || fail --count=77
	"$TAPC" $TAPC_ARGS -p3 x.stp --cuont=77 >out 2>err && fail "a wrong one was taken"
	grep -q cuont err || fail "a wrong one"
	"$TAPC" $TAPC_ARGS -p3 -e 'probe begin { println(@1) }' -- --count >out 2>err && grep -q -- --count out || fail "an argument"
}
