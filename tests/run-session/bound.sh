#!/bin/bash
# The bounds that --bound prints are not exceeded: statements, memory; --max-memory and MAXACTION limit the module
# timeout: 900
# default: no
# host: bash bound.make
. "$SRC/tests/lib/session.sh"
cpus=$(nproc --all)

# find FILE KEY WORD: the number KEY of the object with WORD, in found; another process would be slow here
find()
{
	local line

	found=
	while read -r line; do
		[[ $line = *"$3"* && $line =~ \"$2\":([0-9]+) ]] && found=${BASH_REMATCH[1]}
	done <"$1"
}

# Each handler counts its statements and keeps the maximum.
"$TAPRUN" t_bound_statements.ko >out 2>err || fail "statements: $?" "$(tail err)"
while read -r number most; do
	find statements.bound statements "timer.ms($number)"
	bound=$found
	[[ $bound ]] || fail "no bound of timer.ms($number)" "$(cat statements.bound)"
	((most > 0 && most <= bound)) || fail "timer.ms($number) ran $most statements, the bound is $bound"
	# at least a third of them do the counting, and a higher bound would be useless
	((bound <= 3 * most + 5)) || fail "timer.ms($number) ran $most statements, the bound of $bound is far above"
done <out
[[ $(wc -l <out) = 6 ]] || fail "counts" "$(cat out err)"

for what in plain arrays functions returns tracepoints kept process timers; do
	"$TAPRUN" --output=json -T 1 t_bound_$what.ko >$what.out 2>err || fail "$what: $?" "$(tail $what.out err)"
	find $what.out memory '"type":"session"'
	memory=$found
	find $what.bound."$cpus" memory '"type":"bound_memory"'
	bound=$found
	[[ $memory && $bound ]] || fail "$what" "$(cat $what.out err)"
	echo "$what: $memory bytes, the bound is $bound"
	((memory <= bound)) || fail "$what: $memory bytes, the bound is $bound" "$(cat $what.bound."$cpus")"
	((bound < 3 * memory + (1 << 20))) || fail "$what: $memory bytes, the bound of $bound is far above"
done

# built with --max-memory=4M
"$TAPRUN" -T 1 t_bound_limited.ko >out 2>err || fail "within --max-memory: $?" "$(cat err)"
[[ $(<out) = begin ]] || fail "within --max-memory" "$(cat out err)"
"$TAPRUN" -F -s 16 t_bound_limited.ko >out 2>err && fail "more than --max-memory"
grep -q 'the script is limited to 4096 KB of kernel memory (--max-memory): smaller arrays may help, and with -F smaller buffers (-s)' err || fail "refusal" "$(cat err)"
[[ -w /sys/devices/system/cpu/cpu1/online ]] || exit 0
# a processor goes online even if there is no memory for it
echo 0 >/sys/devices/system/cpu/cpu1/online || exit 0
"$TAPRUN" -F -s 2 t_bound_limited.ko || fail "-F: $?"
echo 1 >/sys/devices/system/cpu/cpu1/online || fail "processor 1 does not come" "$(cat err)"
"$TAPRUN" --stop t_bound_limited >out 2>err || fail "with a processor more: $?" "$(cat out err)"
grep -q 'no memory for processor 1: its hits are skipped' err || fail "no warning" "$(cat out err)"
