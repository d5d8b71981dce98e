#!/bin/bash
# kill -9 at any moment of a run: no probe is left, and the next run works and cleans up
# default: no
# timeout: 360
. "$SRC/tests/lib/session.sh"
for i in 000 010 020 040 070 100 150 200 300 500; do
	start -R -T 0.2 ./t_any.ko
	sleep 0.$i
	kill -9 $pid 2>/dev/null
	wait $pid 2>/dev/null
	wait_until not_probed vfs_read
done
"$TAPRUN" -T 0.05 ./t_any.ko >out 2>err || fail "last run: $?" "$(cat err)"
[[ $(tail -n 1 out) = end ]] || fail "last run" "$(cat out)"
! grep ^t_any /proc/modules
