#!/bin/bash
# A script with @option has its own options and --help; words after other scripts are arguments
fail() { echo "$*"; cat out err; exit 1; }
cat >x.stp <<'S'
global count = @option("count", 5, "how many")
probe begin { println(count); exit() }
S
"$TAPC" x.stp --help >out 2>err
# shellcheck disable=SC2181
[[ $? = 0 ]] && grep -q -- '--count' out && grep -q 'how many' out || {
	grep -q '@option' err && { echo "the syntax of @option is another"; exit 77; }
	fail --help
}
# shellcheck disable=SC2086
{
	"$TAPC" $TAPC_ARGS -p3 x.stp --count=77 >out 2>err && grep -q 77 out || fail --count=77
	"$TAPC" $TAPC_ARGS -p3 x.stp --cuont=77 >out 2>err && fail "a wrong one was taken"
	grep -q cuont err || fail "a wrong one"
	"$TAPC" x.stp -p3 $TAPC_ARGS --count=78 >out 2>err && grep -q 78 out || fail "options after the script"
	"$TAPC" x.stp $TAPC_ARGS -W -p3 -- --count=79 -v >out 2>err && fail "words after -- were taken as options"
	grep -q "argument 1, '--count=79'" err || fail "words after --"
	printf 'probe begin { println($1, @2, @3) }' >y.stp
	"$TAPC" y.stp -5 -p1 one -E 'probe end { }' --two >out 2>err && grep -q -- '-5, "one", "--two"' out || fail "among the arguments"
	"$TAPC" y.stp one $TAPC_ARGS -p3 two three four -W >out 2>err && fail "an argument that is not used"
	"$TAPC" y.stp -5 one two -c >out 2>err && fail "no value"
	grep -q "option '-c' needs a value" err || fail "no value"
	printf 'global output = @option("output", 1, "of tapc")\nprobe begin { println(output) }' >z.stp
	"$TAPC" -p1 z.stp >out 2>err && fail "an option of tapc"
	grep -q "z.stp:1:.*--output is an option of tapc itself" err || fail "an option of tapc"
	"$TAPC" $TAPC_ARGS -p3 -e 'probe begin { println(@1) }' -- --count >out 2>err && grep -q -- --count out || fail "an argument"
}
