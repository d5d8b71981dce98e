#!/bin/bash
# One processor and little memory: a session with timers and functions works and tells what it could not have
# shellcheck disable=SC2086
"$TAPC" $TAPC_ARGS -p4 -m t_small -e 'global n probe kernel.function("vfs_*") { n++ } probe timer.profile { n++ } probe timer.ms(200) { exit() } probe end { printf("%d\n", n > 0) }' >/dev/null || exit
$VM --smp 1 --memory 256 -- sh -c "\"$TAPRUN\" '$PWD/t_small.ko'; echo \"status \$?\"; \"$TAPRUN\" -s 900 '$PWD/t_small.ko'; echo \"status \$?\"" >out 2>err
cat out err
[[ $(head -n 2 out | tr '\n' ' ') = '1 status 0 ' ]] && grep -qi "no memory\|cannot allocate memory" out err && grep -qx 'status 5' out
