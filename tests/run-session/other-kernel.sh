#!/bin/bash
# A module of another kernel is refused with both names and what to do
# default: no
. "$SRC/tests/lib/session.sh"
[[ -e t_other.ko ]] || { echo "no other kernel here: $(cat other)"; exit 77; }
"$TAPRUN" ./t_other.ko 2>err
[[ $? = 5 && $(wc -l <err) = 1 ]] && grep -q "for kernel $(cat other).*but $KREL is running.*-r $KREL" err || fail "$(cat err)"
gone t_other
