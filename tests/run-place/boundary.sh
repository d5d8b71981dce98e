#!/bin/bash
# An address that is not the start of an instruction, or not code, is refused with the reason
set -e
trap 'rmmod place_target' EXIT
insmod ./place_target.ko
! "$TAPRUN" -T 1 ./t_inside.ko 2>err || exit 1
cat err
grep -q 'no instruction begins there\|forbids a probe there' err
! "$TAPRUN" -T 1 ./t_nowhere.ko 2>err || exit 1
cat err
grep -q 'forbids a probe there\|there is no such function' err
