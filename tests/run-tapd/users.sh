#!/bin/bash
# Users can load what they are allowed to: any module, trusted ones by place or signature, none; everything else is the same as for root
# kernels: all
# arm64: no, tapd is not built for it
# timeout: 1200
. "$SRC/tests/lib/session.sh"
. "$SRC/tests/lib/tapd.sh"
make_users
start_tapd
lib=$(realpath /lib/modules)/$KREL

# the command runs as the user, and is target()
as ann "$TAPRUN" -c 'dd if=/dev/zero of=/dev/null bs=1 count=100 status=none; id -un' ./t_any.ko >out 2>err ||
	fail "ann: $?" "$(cat err log)"
[[ $(sed 's/begin [1-9][0-9]*/begin N/' out | tr '\n' ' ') = 'begin N ann 100 writes ' ]] ||
	[[ $(sed 's/begin [1-9][0-9]*/begin N/' out | tr '\n' ' ') = 'begin N 100 writes ann ' ]] || fail "ann" "$(cat out)"
gone t_any || fail "left"
sum=$(sha256sum <t_any.ko | cut -d ' ' -f 1)
grep -q "load module=t_any user=ann uid=$(id -u ann) pid=[0-9]* sha256=$sum size=$(stat -c %s t_any.ko) by=developer outcome=loaded" log ||
	fail "not in the log" "$(cat log)"
grep -q "end module=t_any user=ann .*outcome=unloaded" log || fail "the end is not in the log" "$(cat log)"

# for users other than root questions for program files are not answered: a stack has its first address, and the reason
# is reported
as ann "$TAPRUN" -c 'perl -e getppid' ./t_user.ko >out 2>err || fail "ann: $?" "$(cat err log)"
grep -q "files are available only to sessions of root" err || fail "user stacks are not mentioned" "$(cat out err)"
[[ $(grep -c '^ 0x' out) = 1 ]] || fail "a stack without tables" "$(cat out)"

# refusals: no group; no trust; neither place nor signature that others can write to
refused 'neither in group tapdev' eve ./t_any.ko
grep -q "connect module=? user=eve uid=$(id -u eve) pid=[0-9]* sha256=? .*by=nobody outcome=refused" log || fail "eve is not in the log" "$(cat log)"
refused 'not trusted' bob ./t_any.ko
mkdir -p "$lib/tapc"
cp t_any.ko "$lib/tapc/"
chmod 666 "$lib/tapc/t_any.ko"
as bob "$TAPRUN" ./t_any.ko 2>err && fail "a file that bob can write to"
chmod 644 "$lib/tapc/t_any.ko"
chmod 777 "$lib/tapc"
as bob "$TAPRUN" ./t_any.ko 2>err && fail "a directory that bob can write to"
chmod 755 "$lib/tapc"
mv "$lib/tapc/t_any.ko" real.ko
ln -s "$PWD/real.ko" "$lib/tapc/t_any.ko"
as bob "$TAPRUN" ./t_any.ko 2>err && fail "a symbolic link"
mv real.ko "$lib/tapc/t_any.ko"
as bob "$TAPRUN" -c true ./t_any.ko >out 2>err || fail "trusted by place: $?" "$(cat err)"
grep -q 'user=bob .*by=directory outcome=loaded' log || fail "by place" "$(cat log)"
tail -c +2 t_any.ko >bad.ko
as bob "$TAPRUN" -c true ./bad.ko 2>err && fail "nonsense was loaded"
printf x | dd of=t_any.ko bs=1 seek=$(($(stat -c %s t_any.ko) - 1)) conv=notrunc status=none
refused 'not trusted' bob ./t_any.ko

# signatures by openssl's own tool
openssl genpkey -algorithm ed25519 -out good.pem
openssl genpkey -algorithm ed25519 -out other.pem
openssl pkey -in good.pem -pubout -out /etc/tapc/trusted/good.pub
openssl pkeyutl -sign -rawin -inkey other.pem -in t_long.ko -out t_long.ko.sig
refused 'not trusted' bob ./t_long.ko
openssl pkeyutl -sign -rawin -inkey good.pem -in t_long.ko -out t_long.ko.sig
as bob "$TAPRUN" -c true ./t_long.ko >out 2>err || fail "signed: $?" "$(cat err)"
grep -q 'user=bob .*by=signature outcome=loaded' log || fail "by signature" "$(cat log)"

# if detached, it continues and still belongs to its owner
as bob "$TAPRUN" -L ./t_long.ko || fail "-L: $?"
refused "belongs to another user" ann -A t_long
refused "belongs to another user" ann -d t_long
as ann cat /proc/tap:t_long/control >/dev/null 2>&1 && fail "ann can open bob's session"
as bob "$TAPRUN" -T 0.3 -A t_long >out 2>err || fail "-A: $?" "$(cat err)"
[[ $(head -n 1 out; tail -n 1 out) = $'begin\nend' ]] && gone t_long || fail "attached" "$(cat out)"
as bob "$TAPRUN" -L ./t_long.ko && as bob "$TAPRUN" -d t_long && gone t_long || fail "-d"

# a client that dies takes its session with it; so does tapd
rm out
as bob "$TAPRUN" ./t_long.ko >out 2>err &
printed tick
pkill -KILL -u bob taprun
wait_until gone t_long
rm out
as bob "$TAPRUN" ./t_long.ko >out 2>err &
pid=$!
printed tick
stop_tapd
wait_until gone t_long
wait $pid
printed end
grep -q 'tapd is shutting down' err || fail "not reported" "$(cat err)"
as ann "$TAPRUN" ./t_long.ko 2>err
[[ $? = 5 ]] && grep -q 'or run the daemon tapd' err || fail "without tapd" "$(cat err)"
