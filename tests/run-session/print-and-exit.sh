#!/bin/bash
# A script that prints and exits immediately loses nothing, ten times in a row, while the machine is busy
# default: no
# kernels: all
# timeout: 540
. "$SRC/tests/lib/session.sh"
for what in begin end; do for ((i = 0; i < 200; i++)); do echo "$what $i"; done; done >wanted
while :; do /bin/true; done 2>/dev/null & busy=$!
trap 'kill $busy' EXIT
for ((run = 0; run < 10; run++)); do
	"$TAPRUN" ./t_exit.ko >out 2>err || fail "run $run: $?" "$(cat err)"
	cmp wanted out || fail "run $run" "$(cat err)"
	[[ ! -s err ]] || fail "run $run" "$(cat err)"
done
