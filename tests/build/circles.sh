#!/bin/bash
# Files of the runtime in the kernel do not depend on each other in circles, by the symbols of its objects.
# sanitizers: no
set -e

# The runtime that is used is marked as the one used last.
# shellcheck disable=SC2086
"$TAPC" $TAPC_ARGS --prepare
archive=$(ls -t "$XDG_CACHE_HOME"/tapc/kernels/*/manifest | head -n 1)
"$SRC/tests/check-circles" --module "${archive%/*}/libtap.a" "$SRC"
