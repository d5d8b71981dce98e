#!/bin/bash
# tapc as an ordinary user needs no option: from the cached module to the first line, through tapd
# timeout: 400
# host: "$TAPC" $TAPC_ARGS -p4 -m t_user -e 'probe begin { println(6 * 7); exit() }'
. "$SRC/tests/lib/session.sh"
. "$SRC/tests/lib/tapd.sh"
make_users
cp -r "$BUILD/tests/cache" /run/users/cache	# what was made for the line above
chown -R ann /run/users/cache
start_tapd
user() { as ann env XDG_CACHE_HOME=/run/users/cache "$TAPC" $TAPC_ARGS -e 'probe begin { println(6 * 7); exit() }'; }
user >out 2>err || fail "$?" "$(cat err log)"
[[ $(<out) = 42 && ! -s err ]] || fail "$(cat out err)"
grep -q 'user=ann .*by=developer outcome=loaded' log || fail "not by tapd" "$(cat log)"
as eve env XDG_CACHE_HOME=/run/users/none "$TAPC" --sessions || fail "--sessions"
stop_tapd
