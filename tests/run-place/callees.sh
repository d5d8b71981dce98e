#!/bin/bash
# Callees are hit when the given function has called them, and not when others have
# kernels: all
# host: "$SRC/tests/run-place/make-target" callees && "$TAPC" $TAPC_ARGS -p4 -m t_callees callees.stp
set -e
trap 'rmmod place_target' EXIT
insmod ./place_target.ko
"$TAPRUN" -c 'echo 5 >/proc/place_target' ./t_callees.ko >out
diff "$SRC/tests/run-place/callees.expected" out
