#!/bin/bash
# -p1 to -p4 stop after that pass and print its result; -v reports each pass as SystemTap does
[[ -n $KREL ]] || { echo "no kernel to build for"; exit 77; }
set -e
script='global n probe begin { n = 1 + '$$'; printf("%d\n", n); exit() }'
"$TAPC" -p1 -e "$script" | grep -q 'probe begin'
# shellcheck disable=SC2086
{
	"$TAPC" $TAPC_ARGS -p2 -e "$script" | grep -q begin
	"$TAPC" $TAPC_ARGS -p3 -e "$script" >c
	grep -q 'include "tap_script.h"' c
	gcc -fsyntax-only -I"$SRC/runtime/abi" -x c c
	"$TAPC" $TAPC_ARGS -v -p4 -m tap_passes -e "$script" >out 2>err
}
[[ $(<out) = tap_passes.ko && -s tap_passes.ko ]]
for pass in 1 2 3 4; do
	grep -qE "^Pass $pass: .* in [0-9]+usr/[0-9]+sys/[0-9]+real ms\.$" err || { cat err; exit 1; }
done
! grep -q 'Pass 5' err || exit 1
# shellcheck disable=SC2086
path=$("$TAPC" $TAPC_ARGS -p4 -e "$script" | tail -n 1)
[[ $path = "$XDG_CACHE_HOME"/tapc/modules/tap_*.ko && -s $path ]]
# the same script is the same file, named after it
echo "$script" >my-reads.stp
# shellcheck disable=SC2086
{
	path=$("$TAPC" $TAPC_ARGS -p4 my-reads.stp)
	[[ $path =~ /tap_my_reads_[0-9a-f]{8}\.ko$ && -s $path && $("$TAPC" $TAPC_ARGS -p4 my-reads.stp) = "$path" ]]
}
rm my-reads.stp
[[ ! -e tapc.ko && $(ls) = $'c\nerr\nout\ntap_passes.ko' ]]
# modules left there are removed with the cache; without a cache they are in the current directory
# shellcheck disable=SC2086
path=$("$TAPC" $TAPC_ARGS --disable-cache -p4 -e "$script" | tail -n 1)
[[ $path != */* && -s $path ]]
