#!/bin/bash
# Every function of the library, called in handlers of every kind of probe and, if allowed, in conditions, returns a value or an error
# default: no
# timeout: 900
# kernels: all
# host: gcc -g -O1 -pthread -o everywhere everywhere.c && bash ./everywhere.make
. "$SRC/tests/lib/session.sh"
modprobe dummy numdummies=1 && ip link set lo up || fail dummy
cat >work <<'END'
of=/proc/systemtap/t_everywhere
for i in {1..300}; do
	cat $of/read >/dev/null
	echo x >$of/write
	echo x >/dev/udp/127.0.0.1/9
	echo 0 >/proc/sys/kernel/panic
	./everywhere || echo "everywhere: $?"
	read -r left <$of/left
	[ "$left" != 0 ] || break
done
END
"$TAPRUN" -c "bash ./work" ./t_everywhere.ko >out 2>err || fail "$(tail -n 20 err out)"
grep -q '^begun' out && sed -n '/^end$/,$p' out | grep -q ': ' || fail "$(tail -n 30 out err)"
sed -n '/^end$/,$p' out | grep '^odd\|: [^0]* left' && fail "these were not met $(tail -n 5 err)"
"$TAPRUN" ./t_everywhere.ko fail=1 >out 2>err && fail "no error"
tail -n 1 out | grep -q '^error$' || fail "$(tail -n 3 out err)"
