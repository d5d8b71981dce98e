#!/bin/bash
# A module that another process has loaded is not touched; -d and the next run remove one that was never started
# host: "$TAPC" $TAPC_ARGS --no-global-var-display -p4 -m t_already -e 'probe begin { println("begin"); exit() }'
. "$SRC/tests/lib/session.sh"
insmod ./t_already.ko || fail insmod
"$TAPRUN" -A t_already 2>err
[[ $? = 5 ]] && grep -q 'never started' err || fail "-A" "$(cat err)"
[[ $("$TAPRUN" ./t_already.ko) = begin ]] || fail "not removed"
insmod ./t_already.ko || fail insmod
"$TAPRUN" -d t_already || fail "-d"
gone t_already || fail "-d left it"
"$TAPRUN" -d t_already 2>err
[[ $? = 5 ]] && grep -q 'no module' err || fail "-d of nothing" "$(cat err)"
modprobe dummy numdummies=0
"$TAPRUN" -d dummy 2>err && fail "-d removes modules that are not of tapc"
loaded dummy || fail "-d removed dummy"
rmmod dummy
insmod ./t_already.ko && "$TAPRUN" -d '*' && gone t_already
