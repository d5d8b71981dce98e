#!/bin/bash
# Hostile clients get answers, not modules, and cost the daemon nothing; 30 sessions at once; a stopped reader
# default: no
# timeout: 1200
# host: "$TAPC" $TAPC_ARGS -p4 -m t_many -e 'probe begin { println("begin") } probe end { println("end") }'
# host: "$TAPC" $TAPC_ARGS -p4 -m t_flood -e 'probe timer.hz(1000) { printf("%1000d\n", 1) }'
# hardened: no, another name (-R) would invalidate the signature
. "$SRC/tests/lib/session.sh"
. "$SRC/tests/lib/tapd.sh"
make_users
policy 'sessions = 200'
start_tapd
as bob python3 hostile.py t_many.ko 1 20 >answers 2>&1 || fail "$(cat answers)"
cat answers
as eve python3 hostile.py t_many.ko 1 0 2>&1 | grep -v 'neither in group\|: closed$' >eve
[[ ! -s eve ]] || fail "eve" "$(cat eve)"
! grep '^t_' /proc/modules || fail "left"
! grep '^load' log || fail "a client wrote into the record"
open_files=$(ls /proc/$tapd/fd | wc -l)
((open_files < 20)) || fail "$open_files descriptors are open"

# clients that disconnect before the answer: loaded modules are unloaded, and both are logged
[[ $(as ann python3 hostile.py t_many.ko leave 15 2>&1) = 'limits: EBUSY' ]] || fail "a client changed limits" "$(tail log)"
wait_until eval '[[ -z $(cat /proc/$tapd/task/*/children) ]]'
! grep '^t_' /proc/modules || fail "left by processes that have ended"
loads=$(grep -c 'load module=t_many.* user=ann .*outcome=loaded' log)
((loads > 0)) && [[ $(grep -c 'end module=t_many.* user=ann .*outcome=unloaded' log) = "$loads" ]] || fail "$loads loads" "$(cat log)"

# thirty at once, more than the kernel has dynamic CPU hotplug states
as ann bash -c 'for ((i = 0; i < 30; i++)); do "$TAPRUN" -R ./t_many.ko >many.$i 2>&1 & done; wait' &
wait_until eval '[[ $(grep -lx begin many.* 2>/dev/null | wc -l) = 30 ]]'
[[ $(grep -c '^t_many' /proc/modules) = 30 ]] || fail "$(grep -c '^t_many' /proc/modules) modules"
pkill -INT -u ann taprun
wait_until eval '[[ $(grep -lx end many.* | wc -l) = 30 ]]'
wait_until eval '! grep -q ^t_many /proc/modules'
grep -h ERROR many.* | head -n 3

# its reader is stopped, and so is the client: the daemon serves others, and ends the session
as ann "$TAPRUN" ./t_flood.ko >flood 2>err &
wait_until test -s flood
pkill -STOP -u ann taprun
as ann "$TAPRUN" -c true ./t_many.ko >out 2>err2 || fail "another: $?" "$(cat err2)"
stop_tapd
[[ $("$TAPRUN" --sessions | awk '$1 == "t_flood" { print $3 }') = over ]] || fail "it goes on" "$("$TAPRUN" --sessions)"
pkill -KILL -u ann taprun
start_tapd
as ann "$TAPRUN" -c true ./t_many.ko >out 2>err2 || fail "afterwards: $?" "$(cat err2)"
gone t_flood || fail "not cleaned up"
stop_tapd
