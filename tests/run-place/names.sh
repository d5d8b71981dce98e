#!/bin/bash
# pp() has the file and the line of the place that was hit, ppfunc() the function, also for inlined ones
# kernels: all
# host: "$SRC/tests/run-place/make-target" names && "$TAPC" $TAPC_ARGS -p4 -m t_names names.stp
# hardened: no, clang makes no copies of functions as gcc does
set -e
trap 'rmmod place_target' EXIT
insmod ./place_target.ko
"$TAPRUN" -c 'echo 5 >/proc/place_target' ./t_names.ko >out
line() { grep -n "$1" place_target.c | cut -d: -f1 | head -n 1; }
sed "s|@[^:|]*place_target.c|@place_target.c|; s/0x[0-9a-f]*/ADDRESS/g
	s/:$(line 'int place_first(')\"/:FIRST\"/; s/:$(line '^three:')\"/:LABEL\"/
	s/:$(line 'int place_inlined(')\"/:INLINED\"/; s/:$(line LEAF_SUM)\"/:SUM\"/" out | LC_ALL=C sort >got
diff "$SRC/tests/run-place/names.expected" got
