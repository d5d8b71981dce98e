#!/bin/bash
# A locked-down kernel: one message that says why and what to do, status 5, nothing is loaded
# shellcheck disable=SC2086
"$TAPC" $TAPC_ARGS -p4 -m t_lock -e 'probe begin { println("begin"); exit() }' >/dev/null || exit
$VM --append lockdown=integrity -- sh -c "
	\"$TAPRUN\" '$PWD/t_lock.ko'; echo \"status \$?\"
	grep t_lock /proc/modules" >out 2>err
cat out err
grep -qx 'status 5' out && ! grep -q begin out && grep -q 'locked down' out err && grep -q 'sign' out err
