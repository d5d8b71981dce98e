#!/bin/bash
# SIGINT, SIGTERM and SIGHUP end a session successfully: end probes run, status 0, the module is unloaded
# kernels: all
. "$SRC/tests/lib/session.sh"
set -m	# otherwise SIGINT would be ignored
for signal in INT TERM HUP; do
	start ./t_signals.ko
	printed
	kill -$signal $pid
	wait $pid
	status=$?
	[[ $status = 0 && $(tr '\n' ' ' <out) = 'begin end ' ]] || fail "$signal: status $status" "$(cat out err)"
	gone t_signals || fail "$signal: still loaded"
done
start -c 'trap "exit 7" TERM; while :; do sleep 0.1; done' ./t_signals.ko
printed
sleep 0.3
kill -TERM $pid
wait $pid
status=$?
[[ $status = 7 ]] || fail "the command did not get the signal: $status"
