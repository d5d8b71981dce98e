#!/bin/bash
# A counter that this machine lacks: the reason with the place
# kernels: all
# timeout: 360
. "$SRC/tests/lib/session.sh"
"$TAPRUN" ./t_lacks.ko >out 2>err
[[ $? = 5 && ! -s out ]] && grep -Eq 'ERROR: probe perf.type.0..config.77. at <input>:1:1: (this machine has no such counter|the kernel does not accept it as a counter): type 0, config 77' err || fail "$(cat out err)"
"$TAPRUN" ./t_optional.ko >out 2>err || fail "$(cat err)"
[[ $(cat out) = on ]] && grep -q 'WARNING: probe perf.type(4711).config(0)? at.*left out: this machine has no such counter' err || fail "$(cat out err)"
