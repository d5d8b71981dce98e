#!/bin/bash
# Places within the functions of a module are probed when it is loaded, removed when it is unloaded, and probed again
# host: "$SRC/tests/run-place/make-target" late && "$TAPC" $TAPC_ARGS -p4 -m t_late late.stp
set -e
! grep -q '^place_target ' /proc/modules || exit 1
"$TAPRUN" -c 'insmod ./place_target.ko; echo 5 >/proc/place_target; rmmod place_target
	insmod ./place_target.ko; echo 4 >/proc/place_target; rmmod place_target' ./t_late.ko >out
diff - out <<'END'
16 inlined
2 label
18 statement
END
