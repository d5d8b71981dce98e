#!/bin/bash
# tapc alone on a terminal says in five lines what to try, and elsewhere one error; both with status 2
fail() { echo "$*"; cat out; exit 1; }
type -P script >/dev/null || { echo "no script(1)"; exit 77; }
script -qec "$TAPC" /dev/null </dev/null >out 2>&1
[[ $? = 2 ]] || fail "not status 2 on a terminal"
tr -d '\r' <out >lines
[[ $(wc -l <lines) = 5 ]] || fail "not five lines"
grep -q '^tapc runs a script.*none was given' lines || fail "not what it is"
# what it offers must work as written
mapfile -t commands < <(sed -n "s/^  \(sudo \)\?\(tapc .*\)/\2/p" lines)
[[ ${#commands[@]} = 4 ]] || fail "not four commands"
eval "set -- ${commands[0]}"
[[ $1 = tapc ]] || fail "the first command"
# shellcheck disable=SC2086
"$TAPC" $TAPC_ARGS -p2 "${@:2}" >out 2>&1 || fail "the first script is not accepted"
# shellcheck disable=SC2086
"$TAPC" $TAPC_ARGS --help-probe 'vfs.*' >out 2>&1 && grep -q '^vfs.read' out || fail "--help-probe"
"$TAPC" >out 2>&1
[[ $? = 2 && $(<out) = "tapc: error: no script given; tapc -h lists the options" ]] || fail "without a terminal"
script -qec "$TAPC -g" /dev/null </dev/null >out 2>&1
[[ $? = 2 && $(tr -d '\r' <out) = "tapc: error: no script given; tapc -h lists the options" ]] || fail "with an option"
