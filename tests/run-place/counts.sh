#!/bin/bash
# Every form of a point of a module with debug information is hit as often as its code runs
# kernels: all
# host: "$SRC/tests/run-place/make-target" counts && "$TAPC" $TAPC_ARGS -p4 -m t_counts counts.stp
set -e
trap 'rmmod place_target' EXIT
insmod ./place_target.ko
"$TAPRUN" -c 'echo 5 >/proc/place_target' ./t_counts.ko >out
diff "$SRC/tests/run-place/counts.expected" out
