#!/bin/bash
# A function that calls its probe directly shows what it shows by way of ftrace: arguments, names, stacks, conditions
# kernels: all
# timeout: 400
# hardened: no, a kernel of clang has no direct calls
workload='exec dd if=/dev/zero of=/dev/null bs=7 count=500 status=none'
failed=
for script in plain text bare stack wild condition; do
	[[ $script != condition ]] || workload="timeout 100 sh -c 'while [ -d /proc/tap:*_condition ]; do dd if=/dev/zero of=/dev/null bs=7 count=50 status=none; sleep 0.2; done'; true"
	"$TAPRUN" -v -c "$workload" "direct_$script.ko" >direct 2>direct.err || cat direct.err
	"$TAPRUN" -v -c "$workload" "traced_$script.ko" >traced 2>traced.err || cat traced.err
	echo "$script: $(grep -o '[0-9]* of them by direct calls' direct.err)"
	[[ -s direct ]] && cmp direct traced || { diff direct traced; failed=1; }
	[[ $script != condition || $(cat direct) = '1 1 1 1' ]] || { cat direct; failed=1; }
	! grep 'direct calls' traced.err || failed=1
	[[ $script = stack ]] || continue
	grep -q vfs_write direct && grep -q ksys_write direct || { cat direct; failed=1; }
done
if [[ $(uname -m) = x86_64 && $(uname -r) != 5.10* ]]; then
	"$TAPRUN" -v -c true direct_plain.ko 2>&1 | grep -x 'taprun: 1 of them by direct calls' || failed=1
fi
[[ -z $failed ]]
