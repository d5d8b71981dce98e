#!/bin/bash
# Arguments that the script does not use are reported: they may be misplaced options
# shellcheck disable=SC2086
tapc() { "$TAPC" $TAPC_ARGS -p2 "$@" >out 2>err; }
fail() { echo "$*"; cat err; exit 1; }
tapc -e 'probe begin { println($1, @2) %( $# > 5 %? println($3) %) }' 1 two three four || fail status
[[ $(cat err) = "tapc: warning: the script does not use its argument 3, 'three'
tapc: warning: the script does not use its argument 4, 'four'" ]] || fail texts
tapc -w -e 'probe begin { exit() }' one && [[ ! -s err ]] || fail -w
tapc -W -e 'probe begin { exit() }' one && fail "-W: no failure"
grep -q "error: the script does not use its argument 1, 'one'" err || fail -W
tapc -e 'probe begin { %( $# == 2 && $1 == 5 && @2 == "x" %? exit() %) }' 5 x && [[ ! -s err ]] || fail conditions
# an argument that looks like an option of tapc is an unknown option, unless the script uses it
echo 'probe begin { exit() }' >none.stp
echo 'probe begin { println(@1); exit() }' >one.stp
tapc -w none.stp --vq=1 && fail "an unknown option after the script"
grep -q "error: unknown option '--vq=1', which the script does not use as its argument 1 either" err || fail "an unknown option"
tapc one.stp --vq=1 && [[ ! -s err ]] || fail "an argument that begins with --"
tapc none.stp -- --vq=1 && grep -q "warning: the script does not use its argument 1, '--vq=1'" err || fail "after --"
