#!/bin/bash
# With --remote a host reports its release and machine, which are used in paths here: anything else is refused, and
# control sequences in a host's output do not reach the terminal
# sanitizers: no
fail() { echo "$*"; head -c 2000 out err; exit 1; }

# a build tree that any user could have left here; its Makefile shows whether it was used
mkdir -p tree/include/generated
echo '#define UTS_RELEASE "6.1.0-evil"' >tree/include/generated/utsrelease.h
printf 'all modules prepare: ; touch %s/ran\n%%: ; touch %s/ran\n' "$PWD" "$PWD" >tree/Makefile
: >tree/.config
: >tree/Module.symvers

# a host that reports the contents of the file words, then prints those of the files said and complained
cat >ssh <<-'EOS'
	#!/bin/sh
	cat "$WORDS/words"
	read -r size rest || exit 0
	echo sent >"$WORDS/sent"
	head -c "$size" >/dev/null
	cat "$WORDS/said"
	cat "$WORDS/complained" >&2
EOS
chmod +x ssh
: >said
: >complained
export TAPC_SSH=$PWD/ssh WORDS=$PWD

tapc() { "$TAPC" --remote host -e 'probe begin { exit() }' >out 2>err; }
# refused WORDS TEXT
refused()
{
	printf '%b\n' "$1" >words
	rm -f sent
	tapc
	[[ $? = 5 && ! -s out ]] || fail "$1: not refused"
	[[ $(wc -l <err) = 2 && $(tail -n 1 err) = "Pass 5: run failed.  [man error::pass5]" ]] && grep -qF "tapc: error: host: $2" err || fail "$1: not reported"
	[[ ! -e sent && ! -e ran ]] || fail "$1: the host got something, or its tree was used"
	! grep -q $'\033' err || fail "$1: an order to the terminal"
}
refused "tapc-host $PWD/tree x86_64 /usr/bin/taprun" "expected its kernel release, found '$PWD/tree'"
refused "tapc-host ../tree x86_64 /usr/bin/taprun" "expected its kernel release, found '../tree'"
refused "tapc-host -rfoo x86_64 /usr/bin/taprun" "expected its kernel release, found '-rfoo'"
refused 'tapc-host 6.1.0;x x86_64 /usr/bin/taprun' "expected its kernel release, found '6.1.0;x'"
refused 'tapc-host 6.1\0033]0;x\0007 x86_64 /usr/bin/taprun' "expected its kernel release, found '6.1\\x1b]0;x\\x07'"
refused "tapc-host $(printf '6%.0s' {1..65}) x86_64 /usr/bin/taprun" "expected its kernel release, found '6666"
refused 'tapc-host 6.1.0 ../../x /usr/bin/taprun' "expected its machine, found '../../x'"
refused 'tapc-host 6.1.0' "expected its machine, found ''"
refused 'tapc-host' "expected its kernel release, found ''"
refused 'tapc-host 6.1.0 x86_64' 'taprun is not in PATH there'
head -c 100000 /dev/zero | tr '\0' x >long
refused "$(<long)" "expected its kernel and machine, found 'xxxx"

[[ -n $KREL ]] || { echo "no kernel to build for"; exit 77; }
type script >/dev/null || { echo "no script(1), which makes a terminal"; exit 77; }
echo "tapc-host $KREL x86_64 /usr/bin/taprun" >words
printf '\033[31mred\033[m \033]0;title\007 caf\303\251\n' >said
printf 'ERROR: \033]52;c;eA==\007\n' >complained
make_args=
for word in $KERNEL_MAKE_ARGS; do make_args+=" -B $word"; done
command="'$TAPC' --sysroot '$SYSROOT'$make_args --remote host -e 'probe begin { exit() }'"
script -qec "$command" /dev/null >out 2>err </dev/null || fail "a terminal: status $?"
grep -qF $'\033[31mred\033[m \\x1b]0;title\\x07 caf\303\251' out || fail "the output on a terminal"
grep -qF 'ERROR: \x1b]52;c;eA==\x07' out || fail "errors on a terminal"
# of a sequence that the end of the output cuts off nothing is lost
printf 'caf\303' >part
mv said whole && mv part said && : >complained
script -qec "$command" /dev/null >out 2>err </dev/null || fail "a cut sequence: status $?"
grep -qF 'caf\xc3' out || fail "a cut sequence"
mv whole said
# a file receives the output unchanged
eval "$command" >out 2>err || fail "a file: status $?"
cmp -s out said || fail "the output in a file"
