#!/bin/bash
# A function with a direct call serves other sessions, and live patches that come before it, after it and go meanwhile
# default: no
# kernels: all
# arm64: no, handlers are not called directly there
# timeout: 300
# hardened: no, a kernel of clang has no direct calls
. "$SRC/tests/lib/direct.sh"

expect '200 1400' "$TAPRUN" -c "$dd; '$TAPRUN' -c '$dd' ./t_session2.ko >second" ./t_session1.ko
expect '100 700' cat second
./apply 1 || exit
expect '100 700' "$TAPRUN" -c "$dd" ./t_session1.ko
# the patched function writes 3, 3, and 1 bytes
expect 300 "$TAPRUN" -c "$dd" ./t_names.ko
expect '300 2100' "$TAPRUN" -c "$dd; ./apply 0; $dd; ./apply 1; $dd" ./t_session1.ko
./apply 0 || exit
expect '100 700' "$TAPRUN" -c "$dd" ./t_session1.ko
# with several functions the session changes its way as soon as there is a live patch
expect 400 "$TAPRUN" -c "$dd; ./apply 1; sleep 2; $dd" ./t_names.ko
./apply 0 || exit
! dmesg | grep -i 'livepatch.*fail' || exit
