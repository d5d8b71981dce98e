#!/bin/bash
# Each registration of a probe fails; too little memory, a full disk, a reader that dies or stops: nothing stays
# counts: failures
# count: 300

. "$SRC/tests/storm.d/families.sh"	# its modules, and the programs they watch

families_programs()
{
	program storm run-process/storm.c
	program stepper run-session/start-fails.c
	program failing adversary/failing.c "$SRC"/tests/adversary/{party,session}.c
}

begin()
{
	families_begin
	modprobe dummy
	mkdir -p /sys/fs/cgroup/storm-small small
	echo +memory >/sys/fs/cgroup/cgroup.subtree_control
	mount -t tmpfs -o size=60k none small
	modules=(t_*.ko)
}

registrations()
{
	./failing "${MOST:-400}" "./$1" >out 2>&1 || complaint "$(cat out)"
	sed '$d' out
	did "$(awk 'END { print $1 }' out)"
}

# The program of a session that is to fail in some way; then one that must succeed, and clean up.
then_next()
{
	local what=$1 module=$2

	did 1
	echo "$module: $what"
	timeout 300 ./taprun -w -T 0.05 "./$module" >/dev/null 2>err </dev/null ||
		grep -q 'too many skipped\|division by 0' err || complaint "$module after $what: $? $(head -n 3 err)"
	gone "${module%.ko}" || complaint "$module after $what: left behind"
}

little_memory()
{
	echo $((RANDOM % 4000 * 1000 + 100000)) >/sys/fs/cgroup/storm-small/memory.max
	(
		echo 0 >/sys/fs/cgroup/storm-small/cgroup.procs
		exec timeout -s KILL 60 ./taprun -T 0.1 "./$1"
	) >out 2>&1 </dev/null
	then_next "too little memory ($?)" "$1"
}

full_disk()
{
	timeout -s KILL 60 ./taprun -o small/out -T 0.3 "./$1" >out 2>&1 </dev/null
	then_next "a full disk ($?)" "$1"
	rm -f small/*
}

dead_reader()
{
	timeout -s KILL 60 ./taprun -T 0.3 "./$1" 2>err </dev/null | head -c $((RANDOM % 1000)) >out
	then_next "a reader that dies" "$1"
}

stuck_reader()
{
	local reader

	mkfifo pipe
	sleep 1000 <>pipe & reader=$!
	timeout -s KILL 60 ./taprun -T 0.3 "./$1" >pipe 2>err </dev/null
	kill $reader
	wait $reader 2>/dev/null
	rm pipe
	then_next "a reader that takes nothing" "$1"
}

round()
{
	local module=${modules[(SEED + $1) % ${#modules[@]}]}

	registrations "$module"
	little_memory "$module"
	full_disk "$module"
	dead_reader "$module"
	stuck_reader "$module"
}

finish()
{
	touch stop
	kill "$pid_stepper"
	wait "$pid_storm" || complaint "a probed program failed: $?"
	umount small
	rmmod dummy
}
