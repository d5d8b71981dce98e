#!/bin/bash
# A cache that cannot be written: reported, and it still builds if possible, or says where it tried to write
fail() { echo "$*"; head -n 20 err; exit 1; }
: >file
# shellcheck disable=SC2086
XDG_CACHE_HOME=$PWD/file "$TAPC" $TAPC_ARGS -p4 -m tap_x -e 'probe begin { exit() }' >out 2>err
status=$?
if [[ $status = 0 ]]; then
	[[ -s tap_x.ko ]] || fail "no module"
else
	[[ $status -le 8 ]] && grep -q "$PWD/file" err && [[ $(wc -l <err) -le 3 ]] || fail "status $status"
fi
