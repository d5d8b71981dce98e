#!/bin/bash
# taprun in a pid namespace works, and ends together with it: before Linux 6.9 a wait for RCU-tasks could block both forever
# kernels: all
. "$SRC/tests/lib/session.sh"
unshare --pid --fork --mount-proc "$TAPRUN" -c true ./t_inside.ko >out 2>err || fail "taprun: $?" "$(cat err)"
[[ $(cat out) = $'begin\nend' ]] || fail "output: $(cat out)"
for round in 1 2; do
	rm out				# the last session's would be taken for this one's
	unshare --pid --fork sh -c "$TAPRUN ./t_inside.ko >out 2>err; true" & parent=$!
	printed begin
	inside=$(pgrep -x taprun)
	pkill -KILL -P "$parent"
	wait_until eval "[[ ! -d /proc/${inside%%$'\n'*} ]]"
	wait "$parent"
	# a kernel thread may still be stopping the session
	wait_until eval '"$TAPRUN" -d t_inside 2>/dev/null || gone t_inside'
	# the machine still registers and unregisters probes
	timeout 100 "$TAPRUN" -c true ./t_inside.ko >out 2>err || fail "after round $round: $?" "$(cat err)"
	[[ $(cat out) = $'begin\nend' ]] || fail "output: $(cat out)"
	wait_until gone t_inside
done
