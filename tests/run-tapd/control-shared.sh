#!/bin/bash
# A client reads control, which it shares with tapd, into memory that never gets mapped: tapd still ends the session
# default: no
# arm64: no, tapd is not built for it
# timeout: 400
. "$SRC/tests/lib/session.sh"
. "$SRC/tests/lib/tapd.sh"
allow_fuse
make_users
start_tapd

cat >twin.py <<'END'
# twin.py PID FD COMMAND...: COMMAND with the open file FD of process PID as its standard input
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
process = libc.syscall(434, int(sys.argv[1]), 0)	# pidfd_open
twin = libc.syscall(438, process, int(sys.argv[2]), 0)	# pidfd_getfd
if twin < 0:
    sys.exit(os.strerror(ctypes.get_errno()))
os.dup2(twin, 0)
os.execvp(sys.argv[3], sys.argv[3:])
END
as ann "$TAPRUN" ./t_shared.ko >out 2>err &
wait_until contains out tick
client=$(pgrep -u ann -x taprun) || fail "no client"
control=$(find /proc/"$client"/fd -lname '*/tap:t_shared/control' -printf '%f\n') && [[ $control ]] || fail "no control"
as ann python3 twin.py "$client" "$control" ./silent read - >holder 2>&1 &
wait_until contains holder 'keeps READ'

kill -KILL "$client"
wait_until grep -q 'end module=t_shared user=ann .*outcome=busy' log
"$TAPRUN" --sessions >sessions
grep -q '^t_shared  *ann  *over' sessions || fail "it is not over" "$(cat sessions)"
kill -USR1 $(sed -n 's/server //p' holder)
wait_until contains holder 'read: '
"$TAPRUN" -d t_shared || fail "-d: $?" "$(cat log)"
stop_tapd
! grep '^t_' /proc/modules || fail "left"
