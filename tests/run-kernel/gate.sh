#!/bin/bash
# A return by a direct call shows what it shows by a return hook: results, arguments, names, conditions, output
# default: no
# kernels: all
# timeout: 400
# hardened: no, a kernel of clang has no direct calls
workload='exec dd if=/dev/zero of=/dev/null bs=7 count=500 status=none'
supported=
[[ $(uname -m) = x86_64 && $(uname -r) != 5.10* ]] && supported=1
failed=
# script: how many of its places use direct calls
while read -r script places; do
	[[ $script != @(condition|entries) ]] || workload="timeout 100 sh -c 'while [ -d /proc/tap:*_$script ]; do dd if=/dev/zero of=/dev/null bs=7 count=50 status=none; sleep 0.2; done'; true"
	[[ $script != many ]] || workload="sh -c 'ls /proc /proc/self/fd >/dev/null'"
	[[ $script != @(both|stack|latency|error|three) ]] || workload='exec dd if=/dev/zero of=/dev/null bs=7 count=500 status=none'
	"$TAPRUN" -v -c "$workload" "direct_$script.ko" >direct 2>direct.err || cat direct.err
	"$TAPRUN" -v -c "$workload" "traced_$script.ko" >traced 2>traced.err || cat traced.err
	found=$(sed -n 's/.* \([0-9]*\) of them by direct calls/\1/p' direct.err)
	echo "$script: ${found:-0}"
	[[ -z $supported || $places = '*' || ${found:-0} = "$places" ]] || { cat direct.err; failed=1; }
	[[ -s direct ]] && cmp direct traced || { diff direct traced; failed=1; }
	! grep 'direct calls' traced.err || failed=1
	why='other probes of the script are at the same functions'
	[[ $supported ]] || why='this kernel or this processor does not support them'
	[[ $script != three ]] || grep -q "no direct calls: $why" direct.err || { cat direct.err; failed=1; }
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
	three 0
	condition 1
END
[[ -z $failed ]]
