#!/bin/bash
# Direct calls in a user's session, by tapd: at entries and returns, and after the session tap_gate stays until a thread that sleeps in a function has left it
# kernels: all
# arm64: no, handlers are not called directly there
# hardened: no, a kernel of clang has no direct calls
. "$SRC/tests/lib/session.sh"
. "$SRC/tests/lib/tapd.sh"
make_users
start_tapd
inside=/sys/module/tap_gate/parameters/inside
direct=2
[[ $(uname -r) != 5.10* ]] || direct=
as ann "$TAPRUN" -v -c 'dd if=/dev/zero of=/dev/null bs=7 count=100 status=none' ./t_direct.ko >out 2>err || fail "ann: $?" "$(cat err log)"
[[ $(<out) = '100 100' ]] || fail "counts" "$(cat out err)"
[[ $(sed -n 's/^taprun: \([0-9]*\) of them by direct calls$/\1/p' err) = "$direct" ]] || fail "direct calls" "$(cat err log)"
gone tap_gate || fail "tap_gate is left"
if [[ $direct ]]; then
	# the session ends before the thread wakes up
	as ann "$TAPRUN" ./t_asleep.ko >out 2>err & session=$!
	printed begin
	mkfifo wake
	./sleepers 1 wake & sleepers=$!
	wait_until grep -qx '[1-9][0-9]*' $inside
	pkill -INT -u ann taprun
	wait $session || fail "the session: $?" "$(cat err)"
	[[ $(<out) = $'begin\n0' ]] || fail "returns" "$(cat out)"
	gone t_asleep || fail "the session's module is left"
	loaded tap_gate || fail "tap_gate is gone while a thread sleeps there"
	echo go >wake
	wait $sleepers || fail "the thread: $?"
	wait_until gone tap_gate
fi
stop_tapd
