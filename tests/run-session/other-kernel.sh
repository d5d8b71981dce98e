#!/bin/bash
# A module of another kernel is refused with both names and what to do
# host: "$TAPC" --sysroot "$TAPC_KERNELS/5.10" -r "$(ls "$TAPC_KERNELS/5.10/lib/modules")" -B CC=gcc-12 -p4 -m t_other -e 'probe begin { exit() }' || touch none
. "$SRC/tests/lib/session.sh"
[[ -e t_other.ko ]] || { echo "no kernel 5.10 here"; exit 77; }
"$TAPRUN" ./t_other.ko 2>err
[[ $? = 5 && $(wc -l <err) = 1 ]] && grep -q "for kernel 5.10.*but $KREL is running.*-r $KREL" err || fail "$(cat err)"
gone t_other
