#!/bin/bash
# A module built by tapc -p4 stores -b, -d, --ldd and -t: it runs as if taprun were given them
# kernels: all
# host: "$TAPC" $TAPC_ARGS -p4 -m t_kept -b -t -d ./absent --ldd -e 'probe begin { println("hello"); exit() } probe kernel.function("vfs_read") { if (pid() < 0) print_ubacktrace() }' && "$TAPC" $TAPC_ARGS -p4 -m t_plain -e 'probe begin { println("hello"); exit() }'
"$TAPRUN" ./t_kept.ko >out 2>err || exit 1
cat out err
[[ $(<out) = hello ]] || exit 1
grep -q "made with -b: with -o FILE" err || exit 1
grep -q "cannot open '$PWD/./absent' (--image)" err || exit 1
grep -q 'begin, .*hits: 1,' err || exit 1
"$TAPRUN" -o result ./t_kept.ko 2>/dev/null || exit 1
[[ $(cat result_cpu*) = hello && ! -e result ]] || { ls; exit 1; }
"$TAPRUN" ./t_plain.ko >out 2>err || exit 1
[[ $(<out) = hello && ! -s err ]] || { cat err; exit 1; }
