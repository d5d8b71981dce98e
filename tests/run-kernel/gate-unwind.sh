#!/bin/bash
# Stacks through a trampoline are whole: in the body that it calls, and at each instruction of the handlers' code
# kernels: 6.1 6.12 7.3
# default: no
dd='dd if=/dev/zero of=/dev/null bs=7 count=3 status=none'
parameters=/sys/module/unwind/parameters
for shape in plain simple late entry; do
	echo "$dd; insmod unwind.ko where=$(cat "t_$shape.where") || exit; $dd
		cat $parameters/{places,whole,broken} | xargs >numbers; rmmod unwind" >steps
	"$TAPRUN" -v -c "bash steps" "t_$shape.ko" >out 2>err
	grep -q '1 of them by direct calls' err && read -r places whole broken <numbers || { cat err; exit 1; }
	echo "$shape: $places instructions, $whole whole, $broken broken"
	((places > 35 && whole >= 3 * 25 && broken == 0)) || { cat err; dmesg | grep unwind: | tail -n 5; exit 1; }
done
