#!/bin/bash
# A command that waits for its session to start has none of the session's files open: if it is stopped, it does not keep the session running without taprun
. "$SRC/tests/lib/session.sh"
child() { child=$(pgrep -P "$pid") && [[ $child != *$'\n'* ]]; }
# shellcheck disable=SC2010
holds_none() { ! ls -l /proc/"$child"/fd | grep -q /proc/tap:; }
start -c 'exec sleep 1000' ./t_gate.ko
wait_until child
wait_until holds_none
[[ $(</proc/"$child"/comm) = taprun ]] || fail "not before it runs its program"
kill -STOP "$child"
kill -9 "$pid"
unload() { "$TAPRUN" -d t_gate 2>err; }
wait_until unload
gone t_gate
kill -9 "$child"
