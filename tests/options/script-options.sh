#!/bin/bash
# A script with @option has its own options and --help, also with letters that tapc has; words after other scripts are
# arguments
fail() { echo "$*"; cat out err; exit 1; }
# run WORD...: the script x.stp without a kernel
run() { "$TAPC" --simulate x.stp "$@" >out 2>err; }
# refuses MESSAGE WORD...
refuses()
{
	local message=$1 status

	shift
	run "$@"
	status=$?
	[[ $status = 2 && ! -s out && $(<err) = "tapc: error: $message" ]] || fail "$*: $status, expected: $message"
}
cat >x.stp <<'S'
#!/usr/bin/env tapc
# Which options are there? All
# of them.
#
#     tapc x -xn 3
# kernels: all
# needs: nothing
global count = @option("count|n", 5, "how many", "1..100"), least = @option("min-us", 5, "at least", "time us ..9000000")
private global failed = @option("failed|x", 0, "only failures", "flag")
global name = @option("name|p", "", "of the program"), unit = @option("unit", "us", "the unit", "us|ms")
global any = @option("any", -3, "a number"), pause = @option("pause", 1, "a pause", "time s 1..")
global big = @option("big", 7, "a large one", "7.."), little = @option("little", 7, "a small one", "..7")
probe begin { println(count, " ", least, " ", failed, " [", name, "] ", unit, " ", any, " ", pause, " ", big, little); exit() }
S
# is VALUES WORD...
is()
{
	local values=$1

	shift
	run "$@" && [[ $(<out) = "$values" && ! -s err ]] || fail "$*: expected: $values"
}
is '5 5 0 [] us -3 1 77'
is '7 5 1 [] us -3 1 77' --count=7 -x
is '7 5 1 [] us -3 1 77' --count 7 --failed
is '7 5 1 [me and you] us -3 1 77' -xn7 -p 'me and you'
is '7 5 1 [] us -3 1 77' -xn 7 --name=
is '5 9000000 0 [-p] ms -16 7200 77' --min-us 9s -p -p --unit=ms --any=-0x10 --pause 2h
is '5 3000 0 [] us 9 1 8-9' --min_us=3ms --any 9 --big=8 --little -9
is '6 5 0 [] us -3 1 77' --count=5 --count=6
"$TAPC" --simulate --count=8 x.stp >out 2>err && grep -q ^8 out || fail "before the script"
"$TAPC" x.stp -x --simulate -T 1 -n 9 >out 2>err && grep -q '^9 5 1' out || fail "options of tapc after the script"
"$TAPC" --simulate - --count=8 <x.stp >out 2>err && grep -q ^8 out || fail "from standard input"
"$TAPC" --simulate -e "$(<x.stp)" -n 8 >out 2>err && grep -q ^8 out || fail "the text of -e"
chmod +x x.stp
mkdir bin
ln -s "$TAPC" bin/tapc
PATH=$PWD/bin:$PATH ./x.stp --simulate -n 8 -x >out 2>err && grep -q '^8 5 1' out || fail "as a program"

refuses "unknown option '--cuont'; did you mean '--count'?" --cuont=77
refuses "unknown option '--kbiuld'; did you mean '--kbuild'?" --kbiuld
refuses "unknown option '--nothing-like-it'; tapc SCRIPT --help and tapc -h list the options" --nothing-like-it 5
refuses "unknown option '-Z'; tapc -h lists the options" -Z
refuses "unknown option '-Z' of the script; tapc -h lists the options" -xZ
refuses "option '--count' of the script needs a value" --count
refuses "option '--count' of the script needs a value" -xn
refuses "option '--failed' takes no value, but is given '1'" --failed=1
for bad in 0 101 -1 x 5x '' ' 5' 99999999999999999999; do
	refuses "option '--count' takes a number from 1 to 100, not '$bad'" "--count=$bad"
done
refuses "option '--any' takes a number, not 'x'" --any x
refuses "option '--big' takes a number of at least 7, not '6'" --big=6
refuses "option '--little' takes a number of at most 7, not '8'" --little=8
refuses "option '--unit' takes one of us|ms, not 'u'" --unit u
refuses "option '--unit' takes one of us|ms, not ''" --unit=
for bad in 1500ns 10s -1 1.5s s 5days '' 9223372036854775807h 99999999999999999999; do
	refuses "option '--min-us' takes a time in whole us of at most 9000000us, not '$bad'" "--min-us=$bad"
done
refuses "option '--pause' takes a time in whole s of at least 1s, not '500ms'" --pause 500ms

cat >expected <<'H'
Usage: tapc x.stp [OPTIONS]

Which options are there? All
of them.

    tapc x -xn 3

Needs: nothing

Options:
  -n, --count=NUMBER         how many (from 1 to 100; default: 5)
      --min-us=TIME          at least (of at most 9000000us; default: 5us)
  -x, --failed               only failures
  -p, --name=TEXT            of the program
      --unit=us|ms           the unit (default: us)
      --any=NUMBER           a number (default: -3)
      --pause=TIME           a pause (of at least 1s; default: 1s)
      --big=NUMBER           a large one (of at least 7; default: 7)
      --little=NUMBER        a small one (of at most 7; default: 7)
  -h, --help                 this text
Options of tapc may follow, too, such as -T SECONDS, -o FILE and --json: tapc -h lists them.
H
# without headers of a kernel, and without building anything
for help in --help -h; do
	XDG_CACHE_HOME=$PWD/cache "$TAPC" -r no-such-kernel x.stp -x $help --nonsense >out 2>err || fail "$help"
	diff expected out && [[ ! -s err && ! -e cache ]] || fail "$help"
done
printf '// A comment of two slashes.\nprobe begin { exit() }' >plain.stp
"$TAPC" plain.stp --help >out 2>err && grep -qx 'A comment of two slashes.' out && grep -qx '  --help  *this text' out ||
	fail "a script without options"
printf 'probe begin { println(@1); exit() }' >y.stp
"$TAPC" --simulate y.stp --help >out 2>err && [[ $(<out) = --help ]] || fail "an argument --help"
printf 'global n = @option("n", 1, "x") probe begin { println(argc, argv[1], n); exit() }' >both.stp
"$TAPC" both.stp --help >out 2>err && grep -q '^Usage: tapc both.stp \[OPTIONS\] \[ARGUMENTS\]$' out || fail "options and arguments"
"$TAPC" --simulate both.stp -5 --n=2 >out 2>err && [[ $(<out) = '1-52' ]] || fail "a negative number as an argument"
"$TAPC" --simulate both.stp -- --n=2 >out 2>err && [[ $(<out) = '1--n=21' ]] || fail "words after -- were taken as options"
"$TAPC" none.stp --help >out 2>err
[[ $? = 3 && $(<err) = "tapc: error: there is no script 'none.stp', and no tool of this name; did you mean "* ||
	$(<err) = "tapc: error: cannot read the script 'none.stp': No such file or directory" ]] || fail "help of no script"

# tapc's own letters and names are the script's after its name, if it declares them
printf 'global output = @option("output|p", 1, "not of tapc")\nprobe begin { println(output); exit() }' >z.stp
"$TAPC" --simulate z.stp --output=3 >out 2>err && [[ $(<out) = 3 ]] || fail "an option of tapc"
"$TAPC" --simulate z.stp -p2 >out 2>err && [[ $(<out) = 2 ]] || fail "a letter of tapc"

# declared where the command line cannot see them, or not for this kernel
printf '@define o %%( @option("n", 1, "x") %%)\nglobal n = @o\nprobe begin { println(n); exit() }' >macro.stp
"$TAPC" --simulate macro.stp >out 2>err && fail "in a macro"
grep -q 'error: an option is declared in the script itself by literals, not by a macro' err || fail "in a macro"
printf '%%( 1 == 2 %%? global n = @option("n", 1, "x") %%)\nprobe begin { exit() }' >condition.stp
"$TAPC" --simulate condition.stp >out 2>err || fail "in a condition"
"$TAPC" --simulate condition.stp --n=5 >out 2>err && fail "in a condition that does not hold"
grep -q "error: the option for 'n' is not available: a condition leaves out its declaration" err || fail "in a condition"
printf '@define option(a, b, c) %%( 4 %%)\nglobal n = @option("n", 1, "x")\nprobe begin { println(n, @1); exit() }' >own.stp
"$TAPC" --simulate own.stp --n=5 >out 2>err && [[ $(<out) = 4--n=5 ]] || fail "a macro of this name"

# shellcheck disable=SC2086
{
	"$TAPC" $TAPC_ARGS -p3 x.stp --count=77 >out 2>err && grep -q 77 out || fail --count=77
	"$TAPC" x.stp -p3 $TAPC_ARGS --count=78 >out 2>err && fail "-p is the script's"
	"$TAPC" x.stp $TAPC_ARGS -W --simulate -- --count=79 -v >out 2>err && fail "words after -- were taken as options"
	grep -q "argument 1, '--count=79'" err || fail "words after --"
	printf 'probe begin { println($1, @2, @3) }' >y.stp
	"$TAPC" y.stp -5 -p1 one -E 'probe end { }' --two >out 2>err && grep -q -- '-5, "one", "--two"' out || fail "among the arguments"
	"$TAPC" y.stp one $TAPC_ARGS -p3 two three four -W >out 2>err && fail "an argument that is not used"
	"$TAPC" y.stp -5 one two -c >out 2>err && fail "no value"
	grep -q "option '-c' needs a value" err || fail "no value"
	"$TAPC" $TAPC_ARGS -p3 -e 'probe begin { println(@1) }' -- --count >out 2>err && grep -q -- --count out || fail "an argument"
}
exit 0
