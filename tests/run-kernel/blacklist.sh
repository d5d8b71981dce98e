#!/bin/bash
# A function that cannot be probed is refused with the reason, before anything runs; in a wildcard it is left out
if [[ -e t_one.ko ]]; then
	"$TAPRUN" ./t_one.ko >out 2>err
	status=$?
	cat out err
	[[ $status = 5 && ! -s out ]]
	grep -q "do_int3: the kernel forbids a probe there" err
else
	cat one
	[[ $(tail -n 1 one) = 3 ]] && grep -q "'do_int3' is on the kernel's list" one
fi || exit 1
[[ $("$TAPRUN" ./t_wild.ko 2>err | head -n 1) = begin ]] || { cat err; exit 1; }
! grep tap: /proc/modules
