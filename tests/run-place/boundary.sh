#!/bin/bash
# An address that is not the start of an instruction, or not code, is refused with the reason
# host: "$SRC/tests/run-place/make-target" && "$TAPC" $TAPC_ARGS -p4 -m t_inside -e "probe module(\"$PWD/place_target.ko\").statement($(($(nm place_target.ko | awk '/ place_leaf/ { print "0x" $1 }') + 2))) { println(1) }" && "$TAPC" $TAPC_ARGS -g -p4 -m t_nowhere -e 'probe kernel.statement(0x1000).absolute { println(1) }'
set -e
trap 'rmmod place_target' EXIT
insmod ./place_target.ko
! "$TAPRUN" -T 1 ./t_inside.ko 2>err || exit 1
cat err
grep -q 'no instruction begins there\|forbids a probe there' err
! "$TAPRUN" -T 1 ./t_nowhere.ko 2>err || exit 1
cat err
grep -q 'forbids a probe there\|there is no such function' err
