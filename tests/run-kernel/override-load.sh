#!/bin/bash
# override() is loaded and unloaded while the function is called all the time; afterwards callers get the real value again
# kernels: all
# timeout: 360
# host: gcc -O2 -o overrider "$SRC/tests/run-kernel/override.c" && "$TAPC" $TAPC_ARGS -g --no-global-var-display -p4 -m t_override -e 'global n probe begin { println("on") } probe kernel.function(%( arch == "arm64" %? "__arm64_sys_getuid" %: "__x64_sys_getuid" %)).call { n++; if (execname() == "overrider") override(4711) } probe end { println(n > 1000 ? "hit" : "not hit") }' && "$TAPC" $TAPC_ARGS -g --no-global-var-display -p4 -m t_fails -e '@define call(name) %( kernel.function(%( arch == "arm64" %? "__arm64_sys_" @name %: "__x64_sys_" @name %)).call %) probe @call("getuid"), @call("getgid") { override(1) }'
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
