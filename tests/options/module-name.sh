#!/bin/bash
# -m: the module has that name inside, a suffix .ko is accepted; other modules of a cached script have other names
[[ -n $KREL ]] || { echo "no kernel to build for"; exit 77; }
set -e
# shellcheck disable=SC2086
make() { "$TAPC" $TAPC_ARGS -p4 -m "$1" -e 'probe begin { exit() }'; }
[[ $(make tap_a) = tap_a.ko ]]
[[ $(make tap_bb.ko) = tap_bb.ko ]]
long=$(printf 'x%.0s' {1..55})
[[ $(make "$long") = $long.ko ]]
for name in tap_a tap_bb $long; do
	objcopy -O binary -j .gnu.linkonce.this_module "$name".ko section
	grep -qa "$name" section
	[[ $(modinfo -F name "$name".ko) = "$name" ]]
	modinfo -F vermagic "$name".ko | grep -q "^$KREL "
done
