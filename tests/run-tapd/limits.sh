#!/bin/bash
# Limits hold: sessions, memory, time, detaching; a mistake in the policy refuses all users; socket activation
# default: no
# arm64: no, tapd is not built for it
# timeout: 1200
# hardened: no, another name (-R) would invalidate the signature
. "$SRC/tests/lib/session.sh"
. "$SRC/tests/lib/tapd.sh"
make_users
chmod 711 /etc/tapc

# started as by systemd; it exits without clients
systemd-socket-activate --seqpacket -l $TAPD_SOCKET "$BUILD/tapd" --idle 1 2>>log &
tapd=$!
wait_until contains log Listening
chmod 666 $TAPD_SOCKET
as ann "$TAPRUN" -c true ./t_small.ko >out 2>err || fail "activated: $?" "$(cat err log)"
wait $tapd || fail "idle: $?"
rm $TAPD_SOCKET

start_tapd
policy 'sessions = 2   # of one user' 'memory = 4' 'detach = no'
refused '4 MB of kernel memory' ann ./t_large.ko
# -s is how far buffers may grow, which they do within the limit
as ann "$TAPRUN" -s 16 -c true ./t_small.ko >out 2>err || fail "-s: $?" "$(cat err log)"
as ann "$TAPRUN" ./t_small.ko >out1 2>err1 &
one=$!
wait_until contains out1 begin
as ann "$TAPRUN" -R ./t_small.ko >out2 2>err2 &
two=$!
wait_until contains out2 begin
refused 'already has 2 sessions' ann -R ./t_small.ko
policy 'user-memory = 8'	# which these two may take
refused 'use all of the 8 MB of kernel memory' ann -R ./t_small.ko
policy 'user-memory = 9'
refused '1 MB of kernel memory' ann -R ./t_large.ko
policy 'detach = no'
kill -QUIT $(pgrep -u ann -n taprun)	# a session that cannot be detached ends
wait_until grep -q 'may not be detached' err1 err2
kill -INT $(pgrep -u ann -o taprun)
wait $one $two
policy 'seconds = 1'
as ann "$TAPRUN" ./t_small.ko >out1 2>err1 || fail "time: $?" "$(cat err1)"
grep -q "the session's time limit, 1 s, has expired" err1 || fail "time" "$(cat err1)"
[[ $(tr '\n' ' ' <out1) = 'begin end ' ]] || fail "no end" "$(cat out1)"
! grep '^t_' /proc/modules || fail "left"

for bad in 'sessions = many' 'session = 1' 'sessions' 'detach = perhaps'; do
	policy "$bad"
	refused "tapd.conf:1" ann ./t_small.ko
done
policy 'sessions = 3' '' '# more' 'seconds = -1'
refused "tapd.conf:4: '-1' is not a valid value for 'seconds'" ann ./t_small.ko
grep -q "connect module=? user=ann .*by=nobody outcome=refused" log || fail "not in the log" "$(tail log)"
policy 'developers = nobody-at-all'
refused 'neither in group nobody-at-all' ann ./t_small.ko
policy ''
chmod 666 /etc/tapc/tapd.conf
refused 'only root can write to' ann ./t_small.ko
rm /etc/tapc/tapd.conf
as ann "$TAPRUN" -c true ./t_small.ko >out 2>err || fail "without a file: $?" "$(cat err)"
stop_tapd
