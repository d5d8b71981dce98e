#!/bin/bash
# A file of the module that another process holds open delays its removal, which is reported with that process; -d or the next run removes it later
# host: "$TAPC" $TAPC_ARGS --no-global-var-display -p4 -m t_held -e 'probe begin { println("begin") }'
# hardened: no, another name (-R) would invalidate the signature
. "$SRC/tests/lib/session.sh"
hold_and_end()
{
	start "$@" ./t_held.ko
	printed
	module=$(awk '/^t_held/ { print $1 }' /proc/modules)
	# shellcheck disable=SC2217
	sleep 1000 </proc/tap:"$module"/meta & holder=$!
	wait_until test /proc/$holder/fd/0 -ef /proc/tap:"$module"/meta
	kill -TERM "$pid"
	wait "$pid"
	[[ $? = 8 ]] && loaded "$module" && grep -q "process $holder (sleep) has files of module '$module' open" err ||
		fail "not held" "$(cat err)"
}

hold_and_end
"$TAPRUN" -d t_held 2>err && fail "-d of a held module"
# the next session does not wait, and reports nothing about it
"$TAPRUN" -R -T 0.1 ./t_held.ko >out 2>err && [[ ! -s err ]] || fail "beside it: $?" "$(cat err)"
kill $holder
"$TAPRUN" -d t_held || fail "-d"
gone t_held || fail "still loaded"

hold_and_end -R
kill $holder
"$TAPRUN" -T 0.1 ./t_held.ko >out 2>err && [[ ! -s err ]] || fail "after it: $?" "$(cat err)"
gone "$module" || fail "the next session left it"
