#!/bin/bash
# A process that has ended, but not left its CPU yet, outlives its parent: it is no descendant of the target
preempt=/sys/kernel/debug/sched/preempt throttling=/proc/sys/kernel/sched_rt_runtime_us
if [[ -e $preempt ]]; then
	was=$(sed 's/.*(\(.*\)).*/\1/' $preempt)
elif [[ $(uname -v) != *PREEMPT* ]]; then
	echo 'this kernel is not preempted'
	exit 77
fi
runtime=$(<$throttling) && freer=$(pgrep -x ksoftirqd/0) || exit
trap 'echo "$runtime" >$throttling; chrt -o -p 0 "$freer"; [[ ! $was ]] || echo "$was" >$preempt' EXIT
[[ ! $was ]] || echo full >$preempt || exit
echo -1 >$throttling || exit
chrt -f -p 60 "$freer" || exit	# it frees tasks
"$TAPRUN" -c "./outlived 4000" ./t_outlived.ko
