#!/bin/bash
# SystemTap's functions exist; functions.names has all of them, and marks those still missing
set -e
"$TAPC" $TAPC_ARGS --dump-functions | sed 's/[^A-Za-z0-9_].*//' | sort -u >here
sed -n 's/^\([^ ]*\)$/\1/p' "$SRC/tests/options/functions.names" | sort >wanted
[[ $(wc -l <wanted) -gt 400 ]]
comm -23 wanted here >gone
[[ ! -s gone ]] || { echo "gone:"; cat gone; exit 1; }
