#!/bin/bash
# If the module refuses to start: the reason with the place, status 5, the command of -c never runs, nothing is left
# kernels: all
. "$SRC/tests/lib/session.sh"
echo 0 >/proc/sys/kernel/ftrace_enabled || { echo "this kernel does not let ftrace be switched off"; exit 77; }
trap 'echo 1 >/proc/sys/kernel/ftrace_enabled' EXIT
for command in "" "-c"; do
	"$TAPRUN" $command ${command:+'touch ran'} ./t_refused.ko >out 2>err
	[[ $? = 5 && ! -s out && ! -e ran && $(wc -l <err) = 1 ]] || fail "$(cat out err)"
	grep -q 'write_null.*at <stdin>:2:.*ftrace.*ftrace_enabled to 1' err || fail "$(cat err)"
	gone t_refused || fail "still loaded"
done
