#!/bin/bash
# override() is loaded and unloaded while the function is called all the time; afterwards callers get the real value again
# default: no
# kernels: all
# timeout: 360
. "$SRC/tests/lib/session.sh"
nice -n 19 ./overrider forever &
one=$!
nice -n 19 ./overrider forever &
two=$!
for ((i = 0; i < 3; i++)); do
	start ./t_override.ko
	printed on
	[[ $(./overrider) = "1000 0" ]] || fail "not overridden"
	sleep 0.3
	kill -INT $pid
	wait $pid || fail "$(cat out err)"
	grep -q '^hit' out || fail "$(cat out err)"
	[[ $(./overrider) = "0 1000" ]] || fail "still overridden"
done
each_fails t_fails 5
[[ $k = 3 ]] || fail "$k registrations"
kill $one $two
