#!/bin/bash
# Kernel memory for opened files is counted and limited
# host: "$TAPC" $TAPC_ARGS --no-global-var-display -p4 -m t_many -e 'probe begin { println("begin") } probe procfs("f").read.maxsize(1000000) { $value = "text" }'
. "$SRC/tests/lib/session.sh"
memory() { "$TAPRUN" --sessions | awk '$1 == "t_many" { print int($9) }'; }
start ./t_many.ko
printed begin
file=/proc/systemtap/t_many/f
wait_until test -e $file
before=$(memory)
exec 5<$file
(($(memory) - before > 900)) || fail "not counted: $before K, then $(memory) K"
for ((i = 0; i < 100; i++)); do
	# shellcheck disable=SC2034
	exec {fd}<$file || break
done 2>err
((i > 10 && i < 100)) && grep -q 'Too many open files in system' err || fail "$i openers" "$(cat err)"
kill -INT $pid
wait $pid || fail "taprun: $?" "$(cat err)"
gone t_many
