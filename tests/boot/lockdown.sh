#!/bin/bash
# A kernel that takes only signed modules, or is locked down, refuses: one line says why and what to do, status 5, nothing is left
fail() { echo "$*"; cat out err; exit 1; }
# shellcheck disable=SC2086
"$TAPC" $TAPC_ARGS -p4 -m t_lockdown -e 'probe begin { println("ran"); exit() }' >out 2>err || fail "no module"
try() # try KERNEL-ARGUMENT WORD-OF-THE-MESSAGE
{
	# shellcheck disable=SC2086
	$VM --append "$1" -- sh -c "cd '$PWD'; '$TAPRUN' t_lockdown.ko; echo status \$?; grep -c t_lockdown /proc/modules" >out 2>err
	grep -qx 'status 5' out || fail "$1: status"
	grep -qx 0 out || fail "$1: left loaded"
	! grep -q ran out || fail "$1: ran"
	[[ $(grep -c '^ERROR' err) = 1 ]] || fail "$1: not one message"
	grep -q "$2" err || fail "$1: the message does not say '$2'"
}
try module.sig_enforce=1 sig_enforce
try lockdown=integrity "locked down"
