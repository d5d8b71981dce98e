#!/bin/bash
# -w leaves warnings out, -W makes them errors
# shellcheck disable=SC2086
tapc() { "$TAPC" $TAPC_ARGS -p2 "$@" >out 2>err; }
fail() { echo "$*"; cat err; exit 1; }
script='@define defined(x) %( @x %) probe begin { exit() }'
tapc -e "$script" || fail "a warning fails"
grep -q warning err || { echo "nothing here gives a warning"; exit 77; }
tapc -w -e "$script" && [[ ! -s err ]] || fail -w
tapc -W -e "$script" && fail "-W: no failure"
[[ -s err ]] || fail "-W: no word"
