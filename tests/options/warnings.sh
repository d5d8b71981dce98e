#!/bin/bash
# -w suppresses warnings, -W makes them errors, -u disables optimizations and so has nothing to report
# shellcheck disable=SC2086
tapc() { "$TAPC" $TAPC_ARGS -p2 "$@" >out 2>err; }
fail() { echo "$*"; cat err; exit 1; }
script='global unused probe begin { x = 1; 5; exit() }'
tapc -e "$script" || fail "a warning fails"
[[ $(grep -c ': warning: ' err) = 3 ]] || fail "three warnings"
tapc -w -e "$script" && [[ ! -s err ]] || fail -w
tapc -W -e "$script" && fail "-W: no failure"
[[ $(grep -c ': error: ' err) = 3 ]] || fail "-W: three errors"
tapc -W -e 'probe begin { exit() }' || fail "-W: nothing is wrong"
tapc -u -e "$script" && [[ ! -s err ]] || fail -u
tapc -w -W -e "$script" && [[ ! -s err ]] || fail "-w -W"
tapc -W -w -e "$script" && [[ ! -s err ]] || fail "-W -w"
