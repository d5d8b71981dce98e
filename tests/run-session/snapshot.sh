#!/bin/bash
# The recorder: a snapshot by a condition on latency has exactly what happened meanwhile; one at the end has all of it, with
# the names of threads that have ended. snapshot.check reads them.
# timeout: 300
# kernels: all
. "$SRC/tests/lib/session.sh"
"$TAPRUN" --output=perfetto -o trace -c 'exec ./snapshot' ./t_snapshot.ko 2>err || fail "$?" "$(cat err)"
[[ ! -e trace.3 && ! -e trace.1.part ]] || fail "files" "$(ls)"
[[ $(wc -l <err) = 2 ]] || fail "messages" "$(cat err)"
gone t_snapshot || fail "still loaded"
most_wakes >most-wakes
