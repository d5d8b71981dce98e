#!/bin/bash
# taprun is killed at each of its system calls: the next one cleans up, and nothing is left
# counts: kills
# count: 150

prepare()
{
	module t_killed <<-'END'
		global n
		probe begin { println("begin") }
		probe kernel.function("vfs_read"), kernel.function("vfs_write").return, kernel.trace("sched_switch"), timer.ms(5) { n++ }
		probe procfs("n").read { $value = sprint(n) }
		probe end { println("end") }
	END
}

# The places: each system call of a run with its number among those of that name; of threads the first to get there.
begin()
{
	strace -f -qq -o trace "$TAPRUN" -c true ./t_killed.ko >/dev/null || complaint "strace: $?"
	sed -n 's/^[0-9]* *\([a-z_0-9]*\)(.*/\1/p' trace | grep -v '^exit' | awk '{ print $0, ++n[$0] }' >places
	echo "storm: $(wc -l <places) places"
	order=($(shuf -i 1-"$(wc -l <places)" --random-source=<(yes "$SEED")))
}

kill_taprun()
{
	local place status

	place=($(sed -n "${order[($1 - 1) % ${#order[@]}]}p" places))
	strace -f -qq -o /dev/null --inject="${place[0]}:signal=KILL:when=${place[1]}" \
		"$TAPRUN" -c true ./t_killed.ko >out 2>err
	status=$?
	echo "taprun at ${place[*]}: status $status"
	((status != 137)) || did 1	# threads count their system calls each: some places are not met
}

# What was left by one that was killed, the next removes; its session works.
round()
{
	kill_taprun "$1"
	[[ $(cat /sys/kernel/debug/kprobes/list) = "" ]] || wait_until eval '[[ -z $(cat /sys/kernel/debug/kprobes/list) ]]'
	"$TAPRUN" -c true ./t_killed.ko >out 2>err || complaint "the next run: $? $(cat err)"
	[[ $(tail -n 1 out) = end ]] || complaint "the next run: $(cat out err)"
	gone t_killed || complaint "left behind"
}
