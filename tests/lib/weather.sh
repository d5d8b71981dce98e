# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Background load ("weather") while something else is tested: each kind is a loop that runs until it is killed. Used in
# the guest by storms; its failures must be silent. It runs with a nice value, so that the tested programs get enough
# time.

# Half of the time there is a lull: if the emulator's processors share one host thread, niced processes on one of them
# still take half of the total time. No process is created for it.
rest() { read -r -t 0.$((RANDOM % 3 + 1)) <>/run/storm/never; }

# short-lived processes
weather_forks() { while :; do (:) & (: & wait); /bin/true; wait; rest; done; }

# Processes that have ended, but are still on their CPU when their parents' tasks are freed. The kernel stays preemptible.
weather_ends()
{
	[[ -x ./outlived ]] && chrt -f -p 60 "$(pgrep -x ksoftirqd/0)" && echo -1 >/proc/sys/kernel/sched_rt_runtime_us || return
	echo full >/sys/kernel/debug/sched/preempt
	while :; do
		./outlived 600
		rest
	done 2>/dev/null
}

weather_programs()
{
	while :; do
		[[ ! -x ./storm ]] || ./storm
		env true
		sh -c 'ls / | wc -l; cat /proc/self/maps' >/dev/null
		rest
	done
}

weather_io()
{
	while :; do
		dd if=/dev/zero of=/run/storm/io bs=4k count=500 status=none
		dd if=/run/storm/io of=/dev/null bs=1 count=3000 status=none
		rm -f /run/storm/io
		rest
	done
}

# Four fifths of the free memory, again and again.
weather_memory()
{
	while :; do
		perl -e '
			open(my $f, "<", "/proc/meminfo"); my ($kb) = grep { /MemAvailable/ } <$f>; $kb =~ s/\D//g;
			my $x = "x" x ($kb * 1024 * 0.8 / 2); my $y = $x . "y"; ' 2>/dev/null
		rest
	done
}

# Processes killed by the OOM killer.
weather_oom()
{
	local group=/sys/fs/cgroup/storm-oom

	mkdir -p $group && echo 20000000 >$group/memory.max || return
	while :; do
		(echo 0 >$group/cgroup.procs; perl -e 'my @a; push @a, "x" x 1000000 while 1') 2>/dev/null
		rest
	done
}

weather_modules()
{
	while :; do
		modprobe dummy numdummies=1 && modprobe -r dummy
		modprobe loop && modprobe -r loop
		modprobe xor 2>/dev/null && modprobe -r xor
		rest
	done 2>/dev/null
}

weather_processors()
{
	local cpu

	while :; do
		for cpu in /sys/devices/system/cpu/cpu[1-9]*/online; do
			[[ -w $cpu ]] || return
			echo 0 >"$cpu"
			sleep 0.$((RANDOM % 5))
			echo 1 >"$cpu"
			sleep 0.$((RANDOM % 9))
		done
	done 2>/dev/null
}

# All processes are frozen and continue: the first step of a suspend. Over 9p the guest would lose its files in the next one.
weather_suspend()
{
	local power=/sys/power

	echo freezer >$power/pm_test || return
	while :; do
		echo mem >$power/state
		rest
	done 2>/dev/null
}

weather_namespaces()
{
	while :; do
		unshare -m -n -u -i -p -f -C sh -c 'ip link set lo up; mount -t proc proc /proc; ls /proc | wc -l' >/dev/null
		unshare -n true
		rest
	done 2>/dev/null
}

weather_mounts()
{
	local dir=/run/storm/mounts

	mkdir -p $dir/{tmpfs,lower,upper,work,all}
	while :; do
		mount -t tmpfs tmpfs $dir/tmpfs && cp /bin/true $dir/tmpfs/ && $dir/tmpfs/true
		umount $dir/tmpfs
		mount -t tmpfs tmpfs $dir && mkdir -p $dir/{tmpfs,lower,upper,work,all} && cp /bin/true $dir/lower &&
			mount -t overlay -o "lowerdir=$dir/lower,upperdir=$dir/upper,workdir=$dir/work" overlay $dir/all &&
			$dir/all/true && touch $dir/all/true && $dir/all/true
		umount $dir/all
		umount $dir
		rest
	done 2>/dev/null
}

weather_network()
{
	ip link set lo up
	while :; do
		echo x >/dev/udp/127.0.0.1/9
		echo x >/dev/udp/::1/9
		ping -c 1 -W 1 127.0.0.1 >/dev/null || sleep 0.1
		rest
	done 2>/dev/null
}

# Writes to watched variables, files of the kernel.
weather_sysctl()
{
	while :; do
		cat /proc/sys/kernel/panic >/proc/sys/kernel/panic
		cat /proc/[0-9]*/stat /proc/modules /proc/vmstat >/dev/null
		cat /proc/systemtap/*/* /proc/systemtap/*/*/*
		echo $RANDOM | tee /proc/systemtap/*/d/e/text /proc/systemtap/*/on
		rest
	done >/dev/null 2>&1
}

# Other tracers.
weather_tracers()
{
	local t=/sys/kernel/tracing

	while :; do
		echo "p:storm$RANDOM vfs_read" >>$t/kprobe_events
		echo 1 >$t/events/kprobes/enable
		echo vfs_* >$t/set_ftrace_filter && echo function >$t/current_tracer
		sleep 0.2
		echo nop >$t/current_tracer
		echo 0 >$t/events/kprobes/enable
		: >$t/kprobe_events
		rest
	done 2>/dev/null
}

weather_kinds=$(declare -F | sed -n 's/^declare -f weather_//p')

# ---- changing the weather ----

# shellcheck disable=SC2034
weather_pids=()

# weather_change [KIND...]: one or two of them, at random, replace the previous ones
weather_change()
{
	local kind kinds=("$@") n some=$((RANDOM % 2 + 1)) end=$((SECONDS + 60))

	weather_end
	[[ -p /run/storm/never ]] || mkfifo /run/storm/never
	((${#kinds[@]})) || read -r -d '' -a kinds <<<"$weather_kinds"
	weather_now=""
	for ((n = 0; n < some; n++)); do
		kind=${kinds[RANDOM % ${#kinds[@]}]}
		weather_now+=" $kind"
		setsid --fork nice -n 19 bash -c "echo \$\$ >>/run/storm/weather; RANDOM=$RANDOM; $(declare -f rest "weather_$kind"); weather_$kind" \
			</dev/null >/dev/null 2>&1
	done
	# one that is not in the list yet would not be ended
	while ((SECONDS < end && $(wc -l </run/storm/weather) < some)); do
		sleep 0.05
	done
}

# All processes of a kind are in its session.
weather_end()
{
	local leader

	while read -r leader; do
		pkill -KILL -s "$leader"
	done </run/storm/weather
	: >/run/storm/weather
	cat /sys/devices/system/cpu/cpu[1-9]*/online | grep -q 0 && sleep 0.2
	for leader in /sys/devices/system/cpu/cpu[1-9]*/online; do
		echo 1 >"$leader"
	done
	chrt -o -p 0 "$(pgrep -x ksoftirqd/0)"
	echo 950000 >/proc/sys/kernel/sched_rt_runtime_us	# the default
	echo nop >/sys/kernel/tracing/current_tracer
	echo 0 >/sys/kernel/tracing/events/kprobes/enable
	: >/sys/kernel/tracing/kprobe_events
	umount /run/storm/mounts/* /run/storm/mounts
} 2>/dev/null
