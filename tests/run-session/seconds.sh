#!/bin/bash
# -T ends the session after this time, successfully: status 0, end probes run
# host: "$TAPC" $TAPC_ARGS --no-global-var-display -p4 -m t_seconds -e 'probe begin { println("begin") } probe end { println("end") }'
. "$SRC/tests/lib/session.sh"
[[ $("$TAPRUN" -T 0.2 ./t_seconds.ko | tr '\n' ' ') = 'begin end ' ]] || fail "no end"
for bad in 0 -1 x 1x ''; do
	"$TAPRUN" -T "$bad" ./t_seconds.ko 2>err
	[[ $? = 2 ]] && grep -q -e -T err || fail "-T '$bad'" "$(cat err)"
done
