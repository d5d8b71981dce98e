#!/bin/bash
# A session's owner reads its records into memory that never gets mapped: tapd reports that the module is in use, serves others without delay, counts the session, and removes it when it can
# default: no
# arm64: no, tapd is not built for it
# timeout: 400
# host: gcc -O2 -o silent "$SRC/tests/adversary/silent.c"
# host: "$TAPC" $TAPC_ARGS --no-global-var-display -p4 -m t_held -e 'probe begin { println("begin") } probe timer.ms(50) { println("tick") } probe end { println("end") }'
# hardened: no, another name (-R) would invalidate the signature
. "$SRC/tests/lib/session.sh"
. "$SRC/tests/lib/tapd.sh"
allow_fuse
make_users
usermod -a -G tapdev bob
policy 'sessions = 1'
start_tapd

as ann "$TAPRUN" -L ./t_held.ko || fail "-L: $?" "$(cat log)"
as ann ./silent read /proc/tap:t_held/cpu0 >holder 2>&1 &
wait_until contains holder 'keeps READ'
as ann timeout 60 "$TAPRUN" -d t_held >out 2>err
status=$?
[[ $status = 5 ]] && grep -q "module 't_held' stays loaded because it is in use" err || fail "-d: $status" "$(cat err)"
grep -q "cannot see which processes have files of module 't_held' open" err || fail "no process is named" "$(cat err)"
wait_until grep -q 'remove module=t_held user=ann .*outcome=refused' log

# others neither wait nor notice; but it counts
as bob timeout 60 "$TAPRUN" -R -T 0.2 ./t_held.ko >out 2>err && [[ $(tail -n 1 out) = end && ! -s err ]] || fail "bob: $?" "$(cat err)"
refused 'already has 1 sessions' ann -R ./t_held.ko

# the same if a running client is killed
as ann "$BUILD/taprun" --sessions >sessions
grep -q '^t_held  *ann  *over' sessions || fail "not in the list" "$(cat sessions)"
kill -USR1 $(sed -n 's/server //p' holder)
wait_until contains holder 'read: '
as bob "$TAPRUN" -R -T 0.2 ./t_held.ko >out 2>err || fail "bob: $?" "$(cat err)"
gone t_held || fail "the next clean-up left it" "$(cat log)"
as ann "$TAPRUN" -T 0.2 ./t_held.ko >out 2>err && [[ ! -s err ]] || fail "ann: $?" "$(cat err)"
stop_tapd
! grep '^t_' /proc/modules || fail "left"
