#!/bin/bash
# Options without their value or with a wrong one: one line that names the option, status 2
wrong()
{
	local pattern=$1

	shift
	"$TAPC" "$@" >out 2>err
	[[ $? = 2 && ! -s out && $(wc -l <err) = 1 ]] && grep -q -- "$pattern" err && return
	echo "tapc $*: $(cat out err)"
	exit 1
}
for option in e E I D G R r a m o c x T s S l L B p; do
	wrong "'-$option' needs a value" "-$option"
done
wrong "'--sysroot' needs a value" --sysroot
wrong "'--runtime' needs a value" --runtime
e='probe begin { exit() }'
for pass in 0 6 x 12 -1 ''; do wrong '-p takes' -p "$pass" -e "$e"; done
wrong '-D takes' -D 1X=2 -e "$e"
wrong '-D takes' -D '' -e "$e"
wrong '-G takes' -G x -e "$e"
wrong '-G takes' -G =1 -e "$e"
wrong '-x takes' -x one -e "$e"
wrong '-T takes' -T -5 -e "$e"
wrong '-s takes' -s 1x -e "$e"
for name in '' 1x a/b a.b 'a b' a-b "$(printf 'x%.0s' {1..80})"; do wrong '-m takes' -m "$name" -e "$e"; done
wrong '--color takes' --color=often -e "$e"
wrong "--prepare takes own or system, not 'all'" --prepare=all
wrong "option '-Z'" -Z -e "$e"
