#!/bin/bash
# Where ftrace is switched off (kernel.ftrace_enabled=0) functions are counted all the same, or the refusal says so
# shellcheck disable=SC2086
"$TAPC" $TAPC_ARGS -p4 -m t_ftrace -e 'global n probe kernel.function("write_null") { if (pid() == target()) n++ } probe end { printf("%d\n", n) }' >/dev/null || exit
$VM -- sh -c "
	echo 0 >/proc/sys/kernel/ftrace_enabled || exit 77
	\"$TAPRUN\" -c 'dd if=/dev/zero of=/dev/null bs=1 count=20 status=none' '$PWD/t_ftrace.ko'; echo \"status \$?\"" >out 2>err
cat out err
grep -qx 20 out || { grep -q 'ftrace' out err && grep -qx 'status 5' out; }
