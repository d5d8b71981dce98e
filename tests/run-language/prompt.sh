#!/bin/bash
# The session of `tapc -i` in the tutorial prints what the tutorial says
# kernels: 6.1
# timeout: 900
# host: "$TAPC" $TAPC_ARGS --prepare --quiet
# default: no
export XDG_CACHE_HOME=$BUILD/tests/cache HOME=$PWD
python3 "$SRC/tests/lib/prompt.py" "$SRC/doc/tutorial.md"
