#!/bin/bash
# A module built by tapc -p4 stores -b, -d, --ldd and -t: it runs as if taprun were given them
# kernels: all
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
