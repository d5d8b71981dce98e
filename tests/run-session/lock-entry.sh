#!/bin/bash
# The entry handler of a return probe that gets no lock is a skip, and cancels no hit: each return is one
# host: gcc -O2 -o lock-entry lock-entry.c && "$TAPC" $TAPC_ARGS -g --no-global-var-display -DMAXSKIPPED=1000 -DMAXERRORS=1000 -DSTP_NO_OVERLOAD -p4 -m t_entry lock-entry.script
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
