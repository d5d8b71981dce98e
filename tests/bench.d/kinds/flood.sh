# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154,SC2034
# Floods of lines, and flight recorders.

# flood_job NAME COMMAND LOST: COMMAND prints to /run/lines; the shell text LOST prints the number that it reported lost
flood_job()
{
	job "$1" 600 <<-EOF
	rm -f /run/lines /run/errors
	begun=\$(cut -d' ' -f1 /proc/uptime)
	$2
	ended=\$(cut -d' ' -f1 /proc/uptime)
	cat /run/errors >&2
	lost=\$($3)
	grep -cx '[0-9]* x*' /run/lines | awk -v t=\$begun -v u=\$ended -v lost=\${lost:-0} -v n=$4 \
		'{ print \$1 / (u - t) / 1000, 100 * \$1 / n, n - \$1 - lost, 100 * (n - \$1) / n }'
	EOF
}

# lines_jobs NAME N SCRIPT OPTIONS PAGES: N lines by bin/NAME.sh; OPTIONS are taprun's, PAGES the size of each of
# bpftrace's buffers
lines_jobs()
{
	local work=$scratch/bin/$1.sh command lost

	command="taprun $4 -o /run/lines -c 'sh $work' $scratch/bin/$3.ko 2>/run/errors"
	lost="sed -n 's/.*Lost records: \([0-9]*\) .*/\1/p' /run/errors | tail -n 1"
	flood_job "$1.tapc" "$command" "$lost" "$2"
	has_bpftrace || return 0
	command="${5:+BPFTRACE_PERF_RB_PAGES=$5} bpftrace -o /run/lines -c '/bin/sh $work' $scratch/bin/flood.bt"
	lost="sed -n 's/Lost \([0-9]*\) events/\1/p' /run/lines /run/errors | awk '{ n += \$1 } END { print n }'"
	flood_job "$1.kprobe" "$command >/run/errors 2>&1" "$lost" "$2"
}

prepare_flood()
{
	local name n rate

	compile flood < <(script flood.stp)
	script flood.bt >"$scratch/bin/flood.bt"
	while read -r name n rate; do
		echo "exec $scratch/bin/measure flood $n $rate" >"$scratch/bin/$name.sh"
		lines_jobs "$name" "$n" flood
	done <<-EOF
	flood 1000000 0
	paced 300000 100000
	EOF
}

collect_flood()
{
	local peer

	for peer in tapc kprobe; do
		keep $peer flood "$(result flood.$peer 1)"
		keep $peer flood-arrived "$(result flood.$peer 2)"
		keep $peer flood-lost "$(result flood.$peer 3)"
		keep $peer paced "$(result paced.$peer 4)"
	done
}

# The same on each processor in parallel, with the same memory for buffers: at full speed, and at a rate at which the
# slower peer loses lines.
prepare_crowd()
{
	local name n rate guest=timed

	compile crowd < <(script crowd.stp)
	script flood.bt >"$scratch/bin/flood.bt"
	while read -r name n rate; do
		echo "for cpu in 0 1; do taskset -c \$cpu $scratch/bin/measure flood $((n / 2)) $rate & done; wait" \
			>"$scratch/bin/$name.sh"
		lines_jobs "$name" "$n" crowd '-s 1' 256
	done <<-EOF
	crowd 1000000 0
	crowd-paced 300000 15000
	EOF
}

collect_crowd()
{
	local peer

	for peer in tapc kprobe; do
		keep $peer crowd "$(result crowd.$peer 1)"
		keep $peer crowd-arrived "$(result crowd.$peer 2)"
		keep $peer crowd-lost "$(result crowd.$peer 3)"
		keep $peer crowd-paced "$(result crowd-paced.$peer 4)"
	done
}

# One in memory and one on disk, each with the output of 4,000 calls a second. Memory use is read every minute of the
# guest's time: the maximum increase over the first minute is measured.
prepare_recorder()
{
	local guest=sparse

	compile recorder < <(script crowd.stp) && compile recorder_disk < <(script crowd.stp) || return
	cat >"$scratch/bin/recorder.sh" <<-EOF
	cd /run
	taprun -F -s 1 $scratch/bin/recorder.ko
	loader=\$(taprun -F -s 1 -o disk -S 1,3 $scratch/bin/recorder_disk.ko)
	for ((minute = 1; minute <= $recorder_minutes; minute++)); do
		for ((i = 0; i < 60; i++)); do
			measure flood 4000 0
			sleep 1
		done
		free=\$(measure free)
		modules=\$(taprun --sessions | awk '\$1 ~ /^recorder/ { n += \$9 } END { print n }')
		resident=\$(awk '/^VmRSS/ { print \$2 }' /proc/\$loader/status)
		echo "minute \$minute: \$free free, \$modules modules, \$resident loader, \$(cat disk* | wc -c) files" >&2
		echo \$free \$modules \$resident \$(cat disk* | wc -c)
	done >looks
	taprun --stop recorder_disk
	taprun --stop recorder | wc -l
	awk '{ free = \$1 + \$4 / 1024 }		# the files use memory, too
		NR == 1 { first = free; modules = \$2; loader = \$3 }
		first - free > grown { grown = first - free }
		\$2 - modules > grown_modules { grown_modules = \$2 - modules }
		\$3 - loader > grown_loader { grown_loader = \$3 - loader }
		\$4 > most { most = \$4 }
		END { print grown + 0, grown_modules + 0, grown_loader + 0, most / 1024 }' looks
	EOF
	# each access to a file of the host also takes guest time
	echo "bash $scratch/bin/recorder.sh" | job recorder.tapc 1000000
}

collect_recorder()
{
	keep tapc recorder "$(result recorder.tapc 1)"
	keep tapc recorder-modules "$(result recorder.tapc 2)"
	keep tapc recorder-loader "$(result recorder.tapc 3)"
	keep tapc recorder-files "$(result recorder.tapc 4)"
}

flood_prepare() { prepare_flood; }
flood_collect() { collect_flood; }
crowd_prepare() { prepare_crowd; }
crowd_collect() { collect_crowd; }
recorder_prepare() { prepare_recorder; }
recorder_collect() { collect_recorder; }
