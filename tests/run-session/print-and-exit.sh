#!/bin/bash
# A script that prints and exits immediately loses nothing, ten times in a row, while the machine is busy
# kernels: all
# timeout: 540
# host: "$TAPC" $TAPC_ARGS --no-global-var-display -p4 -m t_exit -e 'probe begin { for (i = 0; i < 200; i++) printf("begin %d\n", i); exit() } probe end { for (i = 0; i < 200; i++) printf("end %d\n", i) }'
. "$SRC/tests/lib/session.sh"
for what in begin end; do for ((i = 0; i < 200; i++)); do echo "$what $i"; done; done >wanted
while :; do /bin/true; done 2>/dev/null & busy=$!
trap 'kill $busy' EXIT
for ((run = 0; run < 10; run++)); do
	"$TAPRUN" ./t_exit.ko >out 2>err || fail "run $run: $?" "$(cat err)"
	cmp wanted out || fail "run $run" "$(cat err)"
	[[ ! -s err ]] || fail "run $run" "$(cat err)"
done
