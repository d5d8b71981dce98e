#!/bin/bash
# A process that has ended, but not left its CPU yet, outlives its parent: it is no descendant of the target
preempt=/sys/kernel/debug/sched/preempt throttling=/proc/sys/kernel/sched_rt_runtime_us
was=$(sed 's/.*(\(.*\)).*/\1/' $preempt) && runtime=$(<$throttling) || exit
trap 'echo "$was" >$preempt; echo "$runtime" >$throttling' EXIT
echo full >$preempt && echo -1 >$throttling || exit
chrt -f -p 60 "$(pgrep -x ksoftirqd/0)" || exit	# it frees tasks
"$TAPRUN" -c ./outlived ./t_outlived.ko
