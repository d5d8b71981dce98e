#!/bin/bash
# Attacks by users: no descriptors left, a full disk, no standard files, files swapped under the loader
# default: no
# timeout: 400
# hardened: no, another name (-R) would invalidate the signature
. "$SRC/tests/lib/session.sh"
. "$SRC/tests/lib/tapd.sh"
make_users

# a daemon with few descriptors, and 1000 clients without rights: others are served
(ulimit -n 16 && start_tapd && echo "$tapd" >pid) || fail "a daemon with 16 descriptors"
cat >crowd.py <<'END'
import os, socket, sys
crowd = []
for i in range(1000):
    s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    s.connect(os.environ['TAPD_SOCKET'])
    crowd.append(s)
print(len(crowd), flush=True)
sys.stdin.read()
END
mkfifo hold
as eve python3 crowd.py <hold >crowd & exec 5>hold
wait_until test -s crowd
as ann timeout 60 "$TAPRUN" -c true ./evil.ko >out 2>err || fail "beside the crowd: $?" "$(cat err log)"
exec 5>&-
kill -0 "$(<pid)" || fail "tapd has died"
[[ $(ls /proc/"$(<pid)"/fd | wc -l) -lt 12 ]] || fail "descriptors stay open"
kill -TERM "$(<pid)"
wait_until eval "! kill -0 $(<pid) 2>/dev/null"
# some of a thousand refusals are logged, and the number of the others
lines=$(grep -c "eve\|user=eve" log)
((lines >= 30 && lines < 500)) || fail "$lines lines of eve's" "$(tail log)"
grep -q "user $(id -u eve): [0-9]* connections within a minute; failures of the last [0-9]* were not logged" log ||
	fail "no summary" "$(tail log)"
start_tapd

# clients with few resources: no environment, no standard files, few descriptors, a file size limit of 0, a full disk
as ann env -i TAPD_SOCKET=$TAPD_SOCKET "$TAPRUN" -c true ./good.ko >out 2>err || fail "no environment: $?" "$(cat err)"
as ann bash -c 'exec "$0" -c true ./good.ko <&- >&- 2>&-' "$TAPRUN"
wait_until gone t_good
for limit in '-n 4' '-n 8' '-f 0' '-u 0' '-v 20000'; do
	as ann bash -c "ulimit $limit; exec \"\$0\" -c true ./good.ko" "$TAPRUN" >out 2>err
	(($? < 128)) || fail "ulimit $limit: a signal" "$(cat err)"
	wait_until gone t_good
done
mkdir small && mount -t tmpfs -o size=100k,mode=777 none small
as ann timeout 60 "$TAPRUN" -o small/out ./t_much.ko 2>err
[[ $? = 8 ]] && grep -qi 'no space left' err || fail "a full disk" "$(cat err)"
umount -l small
wait_until gone t_much

# bob's file changes each time it is read: only the trusted content is loaded
openssl genpkey -algorithm ed25519 -out key.pem
openssl pkey -in key.pem -pubout -out /etc/tapc/trusted/key.pub
openssl pkeyutl -sign -rawin -inkey key.pem -in good.ko -out t_good.ko.sig
chown bob . && chmod a+r good.ko evil.ko t_good.ko.sig
cp good.ko t_good.ko
as bob bash -c 'while [[ ! -e enough ]]; do cp evil.ko a && mv a t_good.ko; cp good.ko a && mv a t_good.ko
	cp evil.ko t_good.ko; cp good.ko b && ln -sf b t_good.ko; done' &
swapper=$!
for ((i = 0; i < 25; i++)); do
	as bob "$TAPRUN" -c true ./t_good.ko >>raced 2>>err
done
touch enough
wait $swapper
! grep evil raced || fail "an unsigned module was loaded"
sum=$(sha256sum <good.ko | cut -d ' ' -f 1)
! grep 'user=bob.*outcome=loaded' log | grep -qv "sha256=$sum " || fail "not the signed bytes" "$(cat log)"
as bob "$TAPRUN" -c true ./t_good.ko >out 2>err || { cp good.ko t_good.ko; as bob "$TAPRUN" -c true ./t_good.ko >out 2>err; } ||
	fail "the good one" "$(cat err)"
[[ $(<out) = good ]] || fail "the good one" "$(cat out err)"
! grep '^t_' /proc/modules || fail "left"

# tapd is killed with all its processes: sessions continue, and end; the next tapd removes only their leftovers
as ann "$TAPRUN" -R -F ./t_good.ko || fail "-F: $?"
kept=$(grep -o '^t_good[^ ]*' /proc/modules)
as ann "$TAPRUN" -o alive ./t_much.ko 2>err &
session=$!
wait_until test -s alive
kill -KILL $(cat /proc/$tapd/task/*/children) $tapd
wait $tapd
size=$(stat -c %s alive)
grows() { (($(stat -c %s alive) > size)); }
wait_until grows
pkill -INT -u ann taprun
wait $session
[[ $? = 8 ]] && grep -q 'tapd, which loads modules for users, does not answer' err || fail "not reported" "$(cat err)"
loaded t_much || fail "nothing was left, so the test shows nothing"
[[ $("$TAPRUN" --sessions | awk '$1 == "t_much" { print $3 }') = over ]] || fail "not over" "$("$TAPRUN" --sessions)"
start_tapd
as ann "$TAPRUN" -R -c true ./good.ko >out 2>err || fail "afterwards: $?" "$(cat err)"
[[ $(grep -o '^t_[^ ]*' /proc/modules) = "$kept" ]] || fail "left, or gone" "$(grep ^t_ /proc/modules)"
as ann "$TAPRUN" -d "$kept" && gone "$kept" || fail "-d: $?"
stop_tapd
