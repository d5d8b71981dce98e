#!/bin/bash
# A file of the module that somebody holds open delays its removal, which is said with who holds it; -d removes it later
# host: "$TAPC" $TAPC_ARGS --no-global-var-display -p4 -m t_held -e 'probe begin { println("begin") }'
. "$SRC/tests/lib/session.sh"
start ./t_held.ko
printed .
sleep 1000 </proc/tap:t_held/meta & holder=$!
sleep 0.2
kill -TERM $pid
wait $pid
status=$?
cat err
if loaded t_held; then
	[[ $status = 8 ]] && grep -q "process $holder" err || fail "status $status"
	kill $holder
	wait $holder 2>/dev/null
	"$TAPRUN" -d t_held || fail "-d"
else
	kill $holder	# procfs let go of it
fi
gone t_held
