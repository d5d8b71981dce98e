#!/bin/bash
# taprun, and tapd's processes, are killed at each of their system calls: the next one cleans up, and nothing is left
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

# The places are recorded in an undisturbed run: a process, a system call, and the index among its calls of that name,
# since strace counts per process and thread. The first process that gets there is killed. A child checks a thousand
# descriptors, which are all alike.
begin()
{
	: >places
	strace -f -qq -o trace "$TAPRUN" -c true ./t_killed.ko >/dev/null || complaint "strace: $?"
	places taprun <trace
	[[ ! -x ${TAPRUN%/*}/tapd ]] || tapd_begin
	shuf places --random-source=<(yes "$SEED") -o places
	echo "storm: $(grep -c taprun places) places of taprun, $(grep -c tapd places) of tapd"
}

places()
{
	awk -v who="$1" '$2 ~ /^[a-z_0-9]*\(/ && $2 !~ /^exit/ {
			name = $2; sub(/\(.*/, "", name); n[$1, name]++
			if (!/F_GETFD/)
				print who, name, n[$1, name]
		}' | sort -u >>places
}

# ---- tapd, if there is one for this machine, and an unprivileged client ----

# tapd_start STRACE-OPTION...
tapd_start()
{
	strace -f "$@" "${TAPRUN%/*}/tapd" --foreground --socket "$TAPD_SOCKET" 2>>tapd.log & tracer=$!
	wait_until eval "[[ -S $TAPD_SOCKET || ! -d /proc/$tracer ]]"
}

# Even if parts of it were killed, all of it must end; strace ends with the last process.
tapd_stop()
{
	pkill -TERM -x tapd
	wait_until eval "[[ ! -d /proc/$tracer ]]"
	wait "$tracer"
	rm -f "$TAPD_SOCKET"
}

tapd_begin()
{
	user_begin t_killed.ko
	tapd_start -qq -o trace.tapd
	as_user "$TAPRUN" -c true ./t_killed.ko >out 2>err || complaint "with tapd: $(cat err)"
	tapd_stop
	places tapd <trace.tapd
}

# ---- a round ----

# Not with --seccomp-bpf: strace 6.1 then sends no signals.
at() { echo "-q -o killed --trace=$1 --inject=$1:signal=KILL:when=$2"; }

kill_taprun()
{
	# shellcheck disable=SC2046
	strace -f $(at "$@") "$TAPRUN" -c true ./t_killed.ko >out 2>err
}

kill_tapd()
{
	# shellcheck disable=SC2046
	tapd_start $(at "$@")
	as_user "$TAPRUN" -c true ./t_killed.ko >out 2>err
	tapd_stop
}

# Breakpoints of a module that was or is being unloaded are removed asynchronously.
no_breakpoints() { [[ -z $(cat /sys/kernel/debug/kprobes/list) ]]; }

# The next session removes what a killed one left, and works.
round()
{
	local place

	read -r -a place < <(sed -n "$((($1 - 1) % $(wc -l <places) + 1))p" places)
	rm -f killed
	"kill_${place[0]}" "${place[@]:1}" 2>/dev/null	# the shell reports killed processes
	wait_until no_breakpoints
	echo "${place[*]}: $(grep -c 'killed by SIGKILL' killed) killed, $(loaded t_killed && echo 'the module is there' || echo 'the module is gone')"
	! grep -q 'killed by SIGKILL' killed || did 1	# some places are reached in some runs only
	"$TAPRUN" -c true ./t_killed.ko >out 2>err || complaint "the next run after ${place[*]}: $? $(cat err)"
	[[ $(tail -n 1 out) = end ]] || complaint "the next run after ${place[*]}: $(cat out err)"
	gone t_killed || complaint "left behind after ${place[*]}"
}
