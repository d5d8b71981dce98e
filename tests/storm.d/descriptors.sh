#!/bin/bash
# A user tries everything that the descriptors of a session allow, in many processes and namespaces: tapd keeps working
# counts: sessions
# count: 100
# shellcheck disable=SC2154 # set by tests/lib/storm.sh

prepare()
{
	program descriptors adversary/descriptors.c "$SRC"/tests/adversary/{client,party}.c "$SRC/runtime/staging/common/protocol.c"
	module t_given <"$storms/lifetimes.stp"
}

begin()
{
	user_begin t_given.ko
	mkdir -p /etc/tapc && echo 'sessions = 100' >/etc/tapc/tapd.conf
	setpriv --bounding-set -all,+sys_module,+syslog --inh-caps -all --no-new-privs \
		"$BUILD/tapd" --foreground --socket "$TAPD_SOCKET" 2>/run/storm/tapd.log & tapd=$!
	wait_until test -S "$TAPD_SOCKET"
}

# Sessions that were detached are removed by their user.
removed()
{
	local session

	for session in /proc/tap:t_given*; do
		[[ ! -d $session ]] || as_user "$TAPRUN" -d "${session#/proc/tap:}" >/dev/null 2>&1
	done
	! grep -q '^t_given' /proc/modules
}

idle() { ! pgrep -P "$tapd" >/dev/null; }

round()
{
	as_user ./descriptors ./t_given.ko 5 $((SEED + $1)) >out 2>&1 || complaint "$(cat out)"
	tail -n 1 out
	did 5
	[[ -d /proc/$tapd ]] || complaint "tapd has exited: $(tail -n 5 /run/storm/tapd.log)"
	wait_until removed
	wait_until idle
	as_user "$TAPRUN" -c true ./t_given.ko >out 2>err || complaint "tapd does not work any more: $? $(cat err)"
}

finish()
{
	kill -TERM "$tapd"
	wait "$tapd" || complaint "tapd: $? $(tail -n 5 /run/storm/tapd.log)"
}
