#!/bin/bash
# The entry handler of a return probe that gets no lock is a skip, and cancels no hit: each return is one
# rt: no, its timers expire in a thread, which does not interrupt the handler that has the lock
. "$SRC/tests/lib/session.sh"
# Timers that expired before the lock was taken are ordinary hits: try again.
for ((try = 0, skipped = 0; try < 10 && !skipped; try++)); do
	"$TAPRUN" -t -c 'exec ./lock-entry' ./t_entry.ko >out 2>err || fail "taprun: $?" "$(cat out err)"
	[[ $(grep timerfd_tmrproc err) =~ hits:\ ([0-9]+),.*skipped:\ ([0-9]+) ]] || fail "no hits" "$(cat err)"
	echo "hits ${BASH_REMATCH[1]}, skipped ${BASH_REMATCH[2]}"
	((BASH_REMATCH[1] == 200)) || fail "not 200 hits" "$(cat err)"
	skipped=${BASH_REMATCH[2]}
done
((skipped)) || fail "none without a lock"
