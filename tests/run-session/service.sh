#!/bin/bash
# As a service with Type=notify: the service manager hears once that the probes are in place, also from a session that ends in its begin
# probes or is attached again, and nothing from one that cannot start
# default: no
# host: for script in 'runs probe kernel.function("write_null") { }' 'ends probe begin { exit() }' 'fails probe begin { error("no") } probe kernel.function("write_null") { }'; do "$TAPC" $TAPC_ARGS -p4 -m t_${script%% *} -e "${script#* }" || exit; done
. "$SRC/tests/lib/session.sh"
# served SOCKET EXPECTED ARGUMENT...
served()
{
	local name=$1 expected=$2

	shift 2
	python3 service.py "$name" "$TAPRUN" "$@" >out 2>err
	[[ $(tr '\n' ' ' <out) = "$expected " ]] || fail "$name $*" "$(cat out err)"
}
served /run/one 'READY=1 probed status 0' -T 1 ./t_runs.ko
served @two 'READY=1 probed status 0' -T 1 ./t_runs.ko
served @two 'READY=1 probed status 7' -c 'sleep 1; exit 7' ./t_runs.ko
served @two 'READY=1 not probed status 0' ./t_ends.ko
served @two 'status 1' ./t_fails.ko
served @two 'status 5' ./none.ko
"$TAPRUN" -L ./t_runs.ko 2>err || fail "-L" "$(cat err)"
served @two 'READY=1 probed status 0' -A -T 1 t_runs
gone t_runs || fail "still loaded"
NOTIFY_SOCKET=$PWD/none "$TAPRUN" ./t_ends.ko 2>err || fail "no service manager: $?" "$(cat err)"
[[ $(grep -c "cannot tell the service manager '$PWD/none' that the session has started: No such file" err) = 1 ]] || fail "its warning" "$(cat err)"
NOTIFY_SOCKET='' "$TAPRUN" ./t_ends.ko 2>err && [[ ! -s err ]] || fail "empty" "$(cat err)"
