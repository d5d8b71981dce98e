#!/bin/bash
# As from cron: no terminal, no input; --lock keeps runs from piling up, also after one was killed; its leftovers are cleaned up
# timeout: 900
# host: "$TAPC" $TAPC_ARGS -p4 -m t_cron -e 'probe begin { println("begin") } probe end { println("end") }'
. "$SRC/tests/lib/session.sh"
cron() { (exec setsid env -i PATH="$PATH" "$TAPRUN" "$@" </dev/null); }
(exec setsid env -i "$TAPRUN" --lock lock -o one ./t_cron.ko </dev/null 2>err) &
wait_until contains one begin
[[ -e /proc/tap:t_cron ]] || fail "no session"
cron --lock lock -o two -R ./t_cron.ko 2>err
[[ $? = 7 && ! -e two ]] && grep -q "another run holds 'lock'" err || fail "two at once" "$(cat err)"
kill -KILL $!
wait $! 2>/dev/null
loaded t_cron || fail "nothing was left behind, so the test shows nothing"
cron --lock lock -T 0.2 -o three ./t_cron.ko 2>err || fail "after a crash: $?" "$(cat err)"
[[ $(tr '\n' ' ' <three) = 'begin end ' ]] && gone t_cron || fail "three" "$(cat three)"
cron --lock /proc/none/lock ./t_cron.ko 2>err
[[ $? = 8 ]] && grep -q 'cannot lock' err || fail "no such folder"
cron --lock lock ./none.ko 2>err
[[ $? = 5 ]] || fail "no module: $?"
# the daemon of -D holds it, too
cron -D --lock lock -o four ./t_cron.ko >number || fail "-D: $?"
cron --lock lock -R -o five ./t_cron.ko 2>err
[[ $? = 7 ]] || fail "beside a daemon: $?"
kill "$(<number)"
wait_until gone t_cron
