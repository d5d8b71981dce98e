#!/bin/bash
# A session that tapc has named after its script is found by the script's name, unless there are two
# kernels: all
# host: for n in tap_ticks_12 tap_ticks_345 tap_ticks_x; do "$TAPC" $TAPC_ARGS -p4 -m $n -e 'probe begin { println(module_name()) }'; done
. "$SRC/tests/lib/session.sh"
start_detached() { "$TAPRUN" -L ./"$1".ko >/dev/null 2>err || fail "$1" "$(cat err)"; }
start_detached tap_ticks_12
"$TAPRUN" --monitor=ticks </dev/null >out 2>err && grep -q begin out || fail "--monitor" "$(cat out err)"
"$TAPRUN" --stop ticks >out 2>err || fail "--stop" "$(cat err)"
[[ $(<out) = tap_ticks_12 ]] && gone tap_ticks_12 || fail "stopped" "$(cat out)"
# the exact name of a session, and others that only start with it
start_detached tap_ticks_x
"$TAPRUN" --stop ticks 2>err && fail "tap_ticks_x by 'ticks'"
grep -q "no module 'ticks'" err || fail "no session's" "$(cat err)"
start_detached tap_ticks_12
start_detached tap_ticks_345
"$TAPRUN" --stop ticks 2>err && fail "two sessions"
grep -q "2 sessions run the script 'ticks': --sessions lists their names" err || fail "two" "$(cat err)"
"$TAPRUN" --stop tap_ticks_345 >out 2>err && [[ $(<out) = tap_ticks_345 ]] || fail "under its name" "$(cat err)"
"$TAPRUN" --stop ticks >out 2>err && [[ $(<out) = tap_ticks_12 ]] || fail "the one that is left" "$(cat err)"
"$TAPRUN" --stop tap_ticks_x >/dev/null || fail "the last"
