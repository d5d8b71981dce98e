#!/bin/bash
# A session that is observed all the time is unloaded when it ends: --sessions, metrics, readers of monitor and meta, a long-running --monitor
# default: no
# arm64: no, its taprun is built without ncurses
# host: "$TAPC" $TAPC_ARGS --no-global-var-display -p4 -m t_seen -e 'probe begin { println("begin") } probe procfs("metrics").read { $value = "x" }'
# hardened: no, another name (-R) would invalidate the signature
. "$SRC/tests/lib/session.sh"
look()
{
	while :; do
		"$TAPRUN" --sessions >/dev/null 2>&1
		head -c 1000000 /proc/tap:t_seen*/{monitor,meta} /proc/systemtap/t_seen*/metrics >/dev/null 2>&1
	done
}
look & lookers=$!
look & lookers+=" $!"
for ((i = 0; i < 8; i++)); do
	"$TAPRUN" $([[ $((i % 2)) = 0 ]] || echo -R) -T 0.1 ./t_seen.ko >out 2>err && [[ ! -s err ]] || fail "$i: $?" "$(cat err)"
	! grep '^t_seen' /proc/modules || fail "$i: left"
done
# shellcheck disable=SC2086
kill $lookers

# a screen
start ./t_seen.ko
printed begin
script -qfc "stty rows 24 cols 80; exec '$TAPRUN' --monitor=t_seen" screen >/dev/null 2>&1 </dev/null & screen=$!
wait_until contains screen t_seen
kill -INT $pid
wait $pid && [[ ! -s err ]] && gone t_seen || fail "under a screen: $?" "$(cat err)"
kill $screen
wait $screen || :	# the signal's status, or its own if it was faster
