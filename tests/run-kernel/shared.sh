#!/bin/bash
# kernels: all
# processors that count in one global and in one element of an array lose only what is reported
"$TAPRUN" -c 'for i in 1 2 3 4; do dd if=/dev/zero of=/dev/null bs=1 count=10000 status=none & done; wait' ./t_shared.ko >out 2>err || cat err
read -r n a <out
skipped=$(sed -n 's/.*skipped probes: \([0-9]*\)$/\1/p' err)
echo "$n $a, skipped ${skipped:=0}"
((n <= 40000 && a <= 40000 && n + skipped >= 40000 && a + skipped >= 40000))
