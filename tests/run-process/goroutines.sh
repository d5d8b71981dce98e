#!/bin/bash
# Go programs: thousands of goroutines that grow their stacks, move, panic and end run as without probes, and entries, returns, arguments and results are exact
# kernels: all
# timeout: 600
# default: no
# packages: golang-go
. "$SRC/tests/lib/session.sh"
[[ -e optimized ]] || { echo "there is no Go compiler (package golang-go)"; exit 77; }
for program in optimized plain pie linked; do
	[[ -e $program ]] || continue
	"./$program" >alone || fail "$program alone: $?"
	"$TAPRUN" -c "./$program >program" -o out "./t_$program.ko" 2>err || fail "$program: taprun: $?" "$(cat err out)"
	diff alone program >difference || fail "$program does not print what it prints without probes" "$(cat difference err)"
	sort alone >sorted
	grep ' calls, ' out | sort | diff sorted - >difference || fail "$program: counts and values" "$(cat difference err)"
	[[ $(grep -v ' calls, ' out) = 'goroutines 2000, without number 0, moved: yes
fails returned 1333 times
recovers returned 2000 times' ]] || fail "$program: the rest" "$(cat out err)"
	[[ ! -s err ]] || fail "$program: messages" "$(cat err)"
done
