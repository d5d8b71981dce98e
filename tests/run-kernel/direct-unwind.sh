#!/bin/bash
# Stacks are whole at each instruction of the code that functions call directly
# default: no
dd='dd if=/dev/zero of=/dev/null bs=7 count=3 status=none'
parameters=/sys/module/unwind/parameters
for shape in plain bare regs slow; do
	echo "$dd; insmod unwind.ko where=$(cat "t_$shape.where") || exit; $dd
		cat $parameters/places $parameters/whole $parameters/broken | xargs >numbers; rmmod unwind" >steps
	"$TAPRUN" -c "sh steps" "t_$shape.ko" >out 2>err
	read -r places whole broken <numbers || { cat err; exit 1; }
	echo "$shape: $places instructions, $whole whole, $broken broken"
	((places > 40 && whole >= 3 * 20 && broken == 0)) || { cat err; dmesg | grep unwind: | tail -n 5; exit 1; }
done
