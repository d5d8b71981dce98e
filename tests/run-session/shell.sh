#!/bin/bash
# tapc -i in a running kernel: the session follows changes of the script, and expressions are evaluated with its globals
# timeout: 900
# default: no
# host: "$TAPC" $TAPC_ARGS --prepare --quiet
. "$SRC/tests/lib/session.sh"
export XDG_CACHE_HOME=$BUILD/tests/cache
write() { dd if=/dev/zero of=/dev/null bs=1 count="$1" status=none; }
mkfifo /tmp/commands
"$TAPC" -i </tmp/commands >out 2>err & pid=$!
exec 3>/tmp/commands
wait_until test -e out
asked=0
answered() { [[ $(tail -n 1 out) = "answer $asked" ]]; }
# answer COMMAND LINE...: the output of COMMAND is these lines
answer()
{
	local before

	before=$(wc -l <out)
	((asked++))
	printf '%s\n' "$1" "= \"answer $asked\"" >&3
	within answered || fail "no answer to $1" "$(cat out err)"
	shift
	diff <(for line; do echo "$line"; done) <(tail -n +$((before + 1)) out | head -n -1) || fail "the answer: $*" "$(cat err)"
}
cat >&3 <<'END'
global n, text, a, s, l
function twice(x) { return 2 * x }
probe kernel.function("write_null") { if (execname() == "dd") { n++; text = execname(); a[text, 1]++; s[text] <<< $count; l <<< n } }
probe end { printf("%d %s %d %d %d\n", n, text, a["dd", 1], @count(s["dd"]), @count(l)); print(@hist_log(l)) }
END
answer run
write 5
answer '= twice(n) + 1' 11
answer '= text . "!"' 'dd!'
answer '= n' n=5
answer '= a' 'a["dd",1]=5'
answer '= a["dd", 1]' 5
answer '= s' 's["dd"] @count=5 @min=1 @max=1 @sum=5 @avg=1'
answer '= @sum(l)' 15
answer '= @hist_log(l)' 'value |-------------------------------------------------- count' '    0 |                                                   0' \
	'    1 |@                                                  1' '    2 |@@                                                 2' \
	'    4 |@@                                                 2' '    8 |                                                   0' \
	'   16 |                                                   0' '' ''
answer '= nonsense(1)'
grep -q "error: .*nonsense" err || fail "no error" "$(cat err)"
# the session goes on with its values, and follows a change of the script
write 2
answer '= n' n=7
answer 'change 1 global n, text, a, s, l, fresh = 3'
write 1
answer '= n * 10 + fresh' 83
answer 'off 3'
write 1
answer '= n' n=8
answer 'on 3'
write 1
answer '= n' n=9
module=$(sed -n 's/^\(tap_shell_[0-9_]*\) .*/\1/p' /proc/modules)
[[ $module != *$'\n'* ]] || fail "several modules" "$module"

# another terminal looks at them, too
"$TAPC" -w --values-of="$module" -e 'global n probe begin { printf("n is %d\n", n) exit() }' >other 2>&1 && [[ $(<other) = 'n is 9' ]] ||
	fail "--values-of" "$(cat other)"
"$TAPC" -w --values-of=none -e 'global n probe begin { printf("n is %d\n", n) exit() }' >other 2>&1 && fail "none"
grep -q "there is no session 'none' that hands over its globals (tapc --hand-over)" other || fail "none" "$(cat other)"
answer stop '9 dd 9 9 9' 'value |-------------------------------------------------- count' '    0 |                                                   0' \
	'    1 |@                                                  1' '    2 |@@                                                 2' \
	'    4 |@@@@                                               4' '    8 |@@                                                 2' \
	'   16 |                                                   0' '   32 |                                                   0' ''
exec 3>&-
wait $pid
[[ $? = 3 ]] || fail "status" "$(cat err)"
gone tap_shell || fail "a module is left"
