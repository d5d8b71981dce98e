#!/bin/bash
# -x: target() is the process; one that does not exist is refused with a distinct status
# kernels: all
# host: "$TAPC" $TAPC_ARGS --no-global-var-display -p4 -m t_target -e 'probe begin { printf("%d\n", target()); exit() }'
. "$SRC/tests/lib/session.sh"
[[ $("$TAPRUN" -x $$ ./t_target.ko) = "$$" ]] || fail "not $$"
[[ $("$TAPRUN" ./t_target.ko) = 0 ]] || fail "not 0"
sleep 0 & dead=$!
wait $dead
"$TAPRUN" -x $dead ./t_target.ko 2>err
[[ $? = 6 ]] && grep -q "no process $dead" err || fail "dead" "$(cat err)"
"$TAPRUN" -x 0 ./t_target.ko 2>err
[[ $? = 2 ]] || fail "0" "$(cat err)"
gone t_target
