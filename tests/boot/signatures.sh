#!/bin/bash
# A kernel that takes only signed modules: one message that says why and what to do, status 5
# shellcheck disable=SC2086
"$TAPC" $TAPC_ARGS -p4 -m t_sign -e 'probe begin { println("begin"); exit() }' >/dev/null || exit
$VM --append module.sig_enforce=1 -- sh -c "
	\"$TAPRUN\" '$PWD/t_sign.ko'; echo \"status \$?\"
	echo 1 >/proc/sys/kernel/modules_disabled
	\"$TAPRUN\" '$PWD/t_sign.ko'; echo \"status \$?\"" >out 2>err
cat out err
[[ $(grep -cx 'status 5' out) = 2 ]] && ! grep -q begin out && grep -q 'only signed modules' out err &&
	grep -q 'modules_disabled' out err
