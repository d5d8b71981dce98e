#!/bin/bash
# Modules are loaded and unloaded while a session that does not probe them starts, and takes long to do so
# default: no
# timeout: 360
. "$SRC/tests/lib/session.sh"
state() { head -c 12 /proc/tap:t_meanwhile/monitor 2>/dev/null | od -An -tu4 -j8 2>/dev/null | grep . || echo 0; }
modprobe dummy && rmmod dummy || fail dummy
"$TAPRUN" -w ./t_meanwhile.ko >out 2>err & pid=$!
n=0
until (($(state) >= 2)) || [[ ! -d /proc/$pid ]]; do
	(($(state) == 1)) || continue
	modprobe dummy && rmmod dummy
	(($(state) != 1)) || ((++n))
done
kill -INT $pid
wait $pid || fail "taprun: $?" "$(cat err)"
echo "$n"
((n > 2)) || fail "only $n modules were loaded and unloaded while the session started"
