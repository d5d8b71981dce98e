#!/bin/bash
# Each registration fails (each allocation if KIND=allocations), memory is short, a disk full, a reader dead: nothing stays
# counts: failures
# count: 300

. "$SRC/tests/storm.d/families.sh"	# its modules, and the programs they watch
. "$SRC/tests/lib/fault-injection.sh"

families_programs()
{
	program storm run-process/storm.c
	program stepper run-session/start-fails.c
	program failing adversary/failing.c "$SRC"/tests/adversary/{party,session}.c
}

begin()
{
	choose_modules
	[[ ${KIND:-} != allocations ]] || { begin_allocations; return; }
	families_begin
	modprobe dummy
	mkdir -p /sys/fs/cgroup/storm-small small
	echo +memory >/sys/fs/cgroup/cgroup.subtree_control
	mount -t tmpfs -o size=60k none small
}

# Kernels that have fault injection are slow, so there is no load. A failure in a request of 9p would break that.
begin_allocations()
{
	families_to_memory
	inject_allocation_faults || complaint "no fault injection"
}

# fails registrations|STEP MODULE: up to MOST; of allocations, those from FIRST on. When the storm is stopped the program
# ends early, and its result counts, unless the signal came before the program, or tee, had blocked it: SIGTERM, SIGPIPE.
fails()
{
	local result status

	: >out
	./failing "$1" "${MOST:-400}" "./$2" "${FIRST:-1}" 2>&1 | (trap '' TERM; exec tee out)
	status=${PIPESTATUS[0]}
	[[ $status = @(143|141) ]] || storm_stopped=${storm_stopped:+before}
	result=$(grep ' failures, [0-9]* went wrong$' out)
	[[ $result = *' 0 went wrong' ]] || complaint "$2, $1: status $status"
	did $((${result%% *} + 0))
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

# With KIND=allocations a round is all allocations of one step of one module.
round()
{
	local steps=(start look stop configure close unload load) module=${modules[(SEED + $1) % ${#modules[@]}]}

	if [[ ${KIND:-} = allocations ]]; then
		fails "${STEP:-${steps[($1 - 1) / ${#modules[@]} % 7]}}" "$module"
		return
	fi
	fails registrations "$module"
	little_memory "$module"
	full_disk "$module"
	dead_reader "$module"
	stuck_reader "$module"
}

finish()
{
	[[ ${KIND:-} != allocations ]] || return 0
	touch stop
	kill "$pid_stepper"
	wait "$pid_storm" || complaint "a probed program failed: $?"
	umount small
	rmmod dummy
}
