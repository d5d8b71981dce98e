#!/bin/bash
# Scripts of unusual size give a result or a message, never a crash: 10 MB on one line, 10,000 parentheses, 100,000
# probes
ends()		# STATUS...: of the last command
{
	local got=$? want

	for want; do [[ $got != "$want" ]] || return 0; done
	echo "status $got, expected $*: $(head -c 300 err)"
	exit 1
}
{ printf 'probe begin { n = 0'; yes ' + 1' | head -c 10000000 | tr -d '\n'; printf '\nexit() }'; } >long.stp
"$TAPC" -p1 long.stp >out 2>err; ends 0 3
{ printf 'probe begin { s = "'; head -c 10000000 /dev/zero | tr '\0' x; echo '" exit() }'; } >string.stp
"$TAPC" -p1 string.stp >out 2>err; ends 0 3
{ printf 'probe begin { n = '; printf '(%.0s' {1..10000}; printf 1; printf ')%.0s' {1..10000}; echo ' exit() }'; } >deep.stp
"$TAPC" -p1 deep.stp >out 2>err; ends 0 3
[[ $(wc -l <err) -le 10 ]] || { head err; exit 1; }
{ printf 'probe begin { '; printf '{%.0s' {1..10000}; } >open.stp
"$TAPC" -p1 open.stp >out 2>err; ends 3
{ printf 'probe begin { n = '; printf -- '-%.0s' {1..10001}; echo '1 exit() }'; } >minus.stp
"$TAPC" -p1 minus.stp >out 2>err; ends 0 3
for ((i = 0; i < 20000; i++)); do echo "probe begin($i) { }"; done >probes.stp
"$TAPC" -p1 probes.stp >out 2>err; ends 0
head -c 3000000 /dev/urandom >random.stp
"$TAPC" -p1 random.stp >out 2>err; ends 3
