#!/bin/bash
# A return by a direct call shows what it shows by a return hook: results, arguments, names, conditions, output
# kernels: all
# timeout: 400
workload='exec dd if=/dev/zero of=/dev/null bs=7 count=500 status=none'
supported=
[[ $(uname -m) = x86_64 && $(uname -r) = 6.1.* ]] && supported=1
failed=
# script: how many of its places use direct calls
while read -r script places; do
	[[ $script != @(condition|entries) ]] || workload="timeout 14 sh -c 'while :; do dd if=/dev/zero of=/dev/null bs=7 count=50 status=none; done'; true"
	[[ $script != many ]] || workload="sh -c 'ls /proc /proc/self/fd >/dev/null'"
	[[ $script != @(both|stack|latency|error) ]] || workload='exec dd if=/dev/zero of=/dev/null bs=7 count=500 status=none'
	"$TAPRUN" -v -c "$workload" "direct_$script.ko" >direct 2>direct.err || cat direct.err
	"$TAPRUN" -v -c "$workload" "traced_$script.ko" >traced 2>traced.err || cat traced.err
	found=$(sed -n 's/.* \([0-9]*\) of them by direct calls/\1/p' direct.err)
	echo "$script: ${found:-0}"
	[[ -z $supported || $places = '*' || ${found:-0} = "$places" ]] || { cat direct.err; failed=1; }
	[[ -s direct ]] && cmp direct traced || { diff direct traced; failed=1; }
	! grep 'direct calls' traced.err || failed=1
done <<-END
	counter 1
	values 1
	text 1
	time 1
	wild *
	nested *
	stack 0
	many *
	both 2
	latency *
	some *
	entries 2
	error 2
	condition 1
END
[[ -z $failed ]]
