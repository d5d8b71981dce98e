#!/bin/bash
# tapc --interactive, with commands from a pipe: a script is added to, listed, changed, switched, loaded and saved; errors add nothing and give the exit status
fail() { echo "$*"; exit 1; }
mkdir tmp
export HOME=$PWD EDITOR=./editor TMPDIR=$PWD/tmp
unset VISUAL XDG_STATE_HOME
# shell LINE...: standard input of the shell; its output is in out, its messages in err
shell() { printf '%s\n' "$@" | "$TAPC" -i >out 2>err; }
# says TEXT...: each is a line of err
says()
{
	local text

	for text; do
		grep -qF -- "$text" err || fail "no message '$text'" "$(cat err)"
	done
}
# refused STATUS TEXT LINE...
refused()
{
	local status=$1 text=$2 found

	shift 2
	shell "$@"
	found=$?
	[[ $found = "$status" ]] || fail "$*: status $found, not $status" "$(cat err)"
	says "$text"
}

shell 'global count' 'probe timer.s(1) {' '  count["x"] += 2	# two' '}' 'probe end { println(count["x"]) } global more' list \
	'delete 4' 'change 2 probe timer.s(1) { count["x"]++ }' 'off 3' 'list 2-3' 'save saved.stp' 'set --simulate -T 3' \
	show run 'on *' run 'unset' 'show' || fail "$?: $(cat err)"
sed 's/^ \{8,\}/\t/' out >listed
diff -u - listed <<'EOF' || fail "the output"
  1     global count
  2     probe timer.s(1) {
	count["x"] += 2	# two
	}
  3     probe end { println(count["x"]) }
  4     global more
  2     probe timer.s(1) { count["x"]++ }
  3 off probe end { println(count["x"]) }
--simulate -T 3
count["x"]=3
3
EOF
diff -u - saved.stp <<'EOF' || fail "saved"
global count
probe timer.s(1) { count["x"]++ }
# switched off:
# probe end { println(count["x"]) }
EOF

# what has an error is not added; positions name the part
refused 3 "#3:1:7: error: unknown probe point 'bad.point'" 'global a, b' 'probe begin { a++ }' 'probe bad.point { }' list
[[ $(<out) = $'  1     global a, b\n  2     probe begin { a++ }' ]] || fail "added" "$(cat out)"
refused 3 "#2/2:1:15: error: expected" 'global a' 'probe begin { a++ }' 'change 2 probe begin { = }' 'list 2'
[[ $(<out) = '  2     probe begin { a++ }' ]] || fail "changed" "$(cat out)"
refused 3 "error: 'count' is used as an array" 'global count' 'probe begin { count[1]++ }' 'delete 1' list
[[ $(wc -l <out) = 2 ]] || fail "deleted" "$(cat out)"
refused 3 'expected' 'probe begin {' '' 'probe end { }' list
[[ $(<out) = '  1     probe end { }' ]] || fail "an empty line does not end a text" "$(cat out)"
refused 3 'expected' 'probe begin {'		# the end of the input does, too

refused 2 "there is no command 'lits'; did you mean 'list'?" lits
refused 2 "there is no command 'xyzzy'; script text begins with probe, global, function or @define" xyzzy
refused 2 "expected the number of a part of the script; 'help' lists the commands" delete
refused 2 "expected numbers of 'list', found 'x'" 'off x'
refused 2 "the script has no part 1; 'list' shows their numbers" 'on 1'
refused 2 "part 1 is not a probe: only probes can be switched" 'global a' 'off 1'
refused 2 "'change' takes a number and the new text; 'help' lists the commands" 'global a' 'change 1'
refused 2 "'load' takes the name of a file; 'help' lists the commands" load
refused 2 "'save' takes the name of a file; 'help' lists the commands" save
refused 3 "cannot read 'none.stp': No such file" 'load none.stp'
refused 8 "cannot write 'none/x.stp': No such file" 'save none/x.stp'
printf 'global a\0b\n' >zero.stp
refused 3 "'zero.stp' is not a script: it contains a zero byte" 'load zero.stp'
refused 2 "there is no tool 'opensnop'; did you mean 'opensnoop'?" 'sample opensnop'
refused 2 "there is no tool 'xyzzyxyzzy'; 'sample' lists them" 'sample xyzzyxyzzy'
refused 2 "no session is running; 'help' lists the commands" stop
refused 2 "'=' takes an expression, or the name of a global; 'help' lists the commands" =
refused 3 "=:3:1: error: unknown function 'twise'" 'function twice(x) { return 2 * x }' '= twise(4)'
refused 2 "'wait' takes a number of seconds, or none to wait for the end of the session; 'help' lists the commands" 'wait x'
refused 2 "a quote has no end; 'help' lists the commands" "set -G 'a=1"
refused 2 "'set' takes options of a run, such as -v, -G NAME=VALUE or -T SECONDS" 'set --bound' show
[[ ! -s out ]] || fail "set" "$(cat out)"
refused 2 "-T" 'set -T'
"$TAPC" -i --bound </dev/null 2>err
[[ $? = 2 ]] || fail "--bound"
says "-i takes options of a run, such as -v, -G NAME=VALUE or -T SECONDS"

# scripts: a file on the command line, -e, load, and a tool
shell 'load saved.stp' list || fail "load" "$(cat err)"
[[ $(<out) = $'  1     global count\n  2     probe timer.s(1) { count["x"]++ }' ]] || fail "loaded" "$(cat out)"
"$TAPC" -i saved.stp <<<list >out2 && cmp out out2 || fail "FILE"
"$TAPC" -i -e 'probe begin { println("e") exit() }' --simulate <<<run >out && [[ $(<out) = e ]] || fail "-e"
shell sample && grep -q '^opensnoop ' out || fail "sample" "$(cat err)"
shell 'set --simulate -G "text=a b" -w' 'global text' 'probe begin { println(text) exit() }' run && [[ $(<out) = 'a b' ]] ||
	fail "-G" "$(cat out err)"

# an expression; without a session it is simulated, with initial values
shell 'global a = 4' 'function twice(x) { return 2 * x }' 'probe begin { println("no") }' '= twice(a) + 1' && [[ $(<out) = 9 ]] ||
	fail "=" "$(cat out err)"

# probe points, which are not added, and commands of the shell
shell 'probes timer.s(1), begin' 'probe begin { println("b") }' list && [[ $(<out) = $'begin\ntimer.s(1)\n  1     probe begin { println("b") }' ]] ||
	fail "probes" "$(cat out err)"
refused 1 "unknown probe point 'nothing'" 'probes nothing'
refused 2 "'probes' takes a probe point, which may have wildcards; 'help' lists the commands" probes
shell '!echo "a  b" >&2; cat' '! echo c' && [[ $(<err) = 'a  b' && $(<out) = c ]] || fail "!" "$(cat out err)"
shell '!exit 5' list
[[ $? = 5 && ! -s err ]] || fail "!: no status" "$(cat err)"
refused 2 "'!' takes a command of the shell; 'help' lists the commands" '!'

# an editor
printf '#!/bin/sh\nsed -i 1s/one/two/ "$1"\n' >editor
chmod +x editor
shell 'probe begin { println("one") }' 'edit 1' list && [[ $(<out) = '  1     probe begin { println("two") }' ]] || fail "edit 1" "$(cat out err)"
shell 'global one' 'probe begin { one[1]++ }' edit list &&
	fail "edit: an error is no error"
says "the edited text is in '$(echo "$PWD"/tmp/*/script.stp)'"
grep -q '^  1     global one' out || fail "edit: not as before" "$(cat out)"
refused 2 "'edit' takes one number, or none for the whole script; 'help' lists the commands" 'global a' 'edit *'
printf '#!/bin/sh\nexit 3\n' >editor
refused 2 "the editor ended with status 3, so nothing is changed" 'global a' 'edit 1'

# help
shell help 'help delete' 'help pid' 'help vfs.read' || fail "help" "$(cat err)"
for line in '  :vm \[RELEASE\] ' '^delete N...' '^function pid:long' 'vfs.read'; do
	grep -q -- "$line" out || fail "help: no line $line" "$(cat out)"
done
refused 2 "xyzzyxyzzy" 'help xyzzyxyzzy'

# -E adds its probes once
[[ $("$TAPC" --simulate -e 'probe begin { println("e") }' -E 'probe begin { println("E") }') = $'e\nE' ]] || fail "-E"
