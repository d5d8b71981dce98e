#!/bin/bash
# statement(ADDRESS).absolute is hit as often as the instruction at this address of the running kernel runs, and knows the function there
# The kernel's address differs from boot to boot: the address in the module is patched here.
set -e
address=$(awk '$3 == "write_null" { print $1; exit }' /proc/kallsyms)
for module in t_kernel t_kprobe; do
	perl -pi -e "BEGIN { \$to = pack('Q<', 0x$address) } s/\x88\x77\x66\x55\x44\x33\x22\x11/\$to/g" $module.ko
	"$SRC/tests/modules/sign" $module.ko
	"$TAPRUN" -c 'dd if=/dev/zero of=/dev/null bs=1 count=1234 status=none' ./$module.ko >out
	echo "$module: $(<out)"
	[[ $(<out) = '1234 write_null write_null' ]]
done
