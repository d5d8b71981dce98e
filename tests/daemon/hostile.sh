#!/bin/bash
# tapd on the host, where it must load nothing: hostile clients, mistakes in the policy, a second daemon, signals
set -e
[[ -x $BUILD/tapd ]] || { echo "tapd is not built"; exit 77; }
dir=$(mktemp -d)		# that another user can reach
chmod 755 "$dir"
cd "$dir"
trap 'rm -rf "$dir"' EXIT
"$TAPC" $TAPC_ARGS -p4 -m t_hostile -e 'probe begin { exit() }' >/dev/null 2>err || { echo "no kernel to build for: $(head -n 1 err)"; exit 77; }
fail() { echo "$*"; exit 1; }
group=$(id -gn)
if [[ $(id -u) = 0 ]]; then
	group=$(id -gn 65534)
	export RUN_AS=65534
fi
printf '%s\n' 'developers = nobody-at-all' "users = $group" "modules = $PWD/none" "keys = $PWD/none" >conf
chmod 644 conf
export TAPD_SOCKET=$PWD/socket
daemon() { exec "$BUILD/tapd" --foreground --socket "$TAPD_SOCKET" --config conf "$@" 2>>log; }
daemon & tapd=$!
trap 'kill $tapd 2>/dev/null || :; wait; rm -rf "$dir"' EXIT
for ((i = 0; i < 100; i++)); do [[ ! -S socket ]] || break; sleep 0.1; done
python3 - t_hostile.ko 7 300 <"$SRC/tests/run-tapd/hostile.py" >answers 2>&1 || fail "$(cat answers)"
diff <(sed 's/^another module: .*//' "$SRC/tests/run-tapd/hostile.out") <(sed 's/^another module: .*//' answers) || fail "answers"
grep -q 'was killed by signal\|AddressSanitizer' log && fail "$(grep -A 20 'killed by\|Sanitizer' log)"
(daemon) && fail "a second daemon on one socket"
grep -q 'cannot listen' log || fail "not reported"
echo 'sessions = all' >>conf
python3 - <<'END' || fail "policy"
import os, socket
s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
s.connect(os.environ['TAPD_SOCKET'])
assert b"conf:5: 'all' is not a valid value for 'sessions'" in s.recv(9000)
END
kill -TERM $tapd
wait $tapd || fail "status $?"
[[ ! -e socket ]] || fail "the socket is still there"
