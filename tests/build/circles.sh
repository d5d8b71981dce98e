#!/bin/bash
# Files of the runtime in the kernel do not depend on each other in circles, by the symbols of its objects.
# default: no
# sanitizers: no
set -e

# The runtime that is used is marked as the one used last.
# shellcheck disable=SC2086
"$TAPC" $TAPC_ARGS --prepare
archive=$(ls -t "$XDG_CACHE_HOME"/tapc/kernels/*/manifest | head -n 1)
# what the sources that tapc writes include, one by one
# shellcheck disable=SC2086
XDG_CACHE_HOME=$PWD "$TAPC" $TAPC_ARGS --quiet -p4 -e 'probe begin { }' >built
cd tapc/kernels/*.build
rm kernel/probes/begin.*
# shellcheck disable=SC2086
make -s -C "$(head -n 1 surroundings)" "M=$PWD" $KERNEL_MAKE_ARGS TAP_NAME=tap_circles \
	"TAP_SOURCES=$(sed 's/.*"\(.*\)".*/\1/' $(grep -Lv '^#include "' ./*.c) | paste -sd ' ')" >log 2>&1 || { cat log; exit 1; }
"$SRC/tests/check-circles" --module "${archive%/*}/libtap.a" "$PWD" "$SRC"
