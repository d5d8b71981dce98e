# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
# Timers and profiles: by how much they extend 2 s of work.

# work_job NAME VERB FORMULA COMMAND: FORMULA computed from none and with, the nanoseconds of `measure VERB` without and
# within COMMAND
work_job()
{
	job "$1" <<-EOF
	rm -f /run/with
	measure $2 /run/none 2
	$4
	awk 'NR == 1 { none = \$1; next } { with = \$1; print $3 }' /run/none /run/with
	EOF
}

timer_job() { work_job "$1" spin '(with - none) / (none / 100000)' "$2"; }	# ns per expiry

# prepare_work ROW VERB: by ROW_job
prepare_work()
{
	compile "$1" <"$parts/$1.stp" &&
		"$1_job" "$1.tapc" "taprun -c 'measure $2 /run/with 2' $scratch/bin/$1.ko >/dev/null"
	! has_bpftrace || "$1_job" "$1.kprobe" \
		"bpftrace -c '$scratch/bin/measure $2 /run/with 2' $parts/$1.bt >/dev/null"
}

prepare_timer()
{
	prepare_work timer spin
	timer_job timer.bare "insmod $scratch/bin/bare.ko mode=timer period=100000
		measure spin /run/with 2
		rmmod bare"
}

collect_work()
{
	local peer

	for peer in tapc bare kprobe; do
		keep $peer "$1" "$(result "$1.$peer" 1)"
	done
}

# profile_job NAME COMMAND: by how many percent a session extends the second run of the work, and how much longer than
# the second run the first one takes, in which the program's files are first seen
profile_job()
{
	job "$1" 300 <<-EOF
	measure busy /run/none 2
	$2
	cat /run/none /run/first /run/with | awk '{ t[NR] = \$1 }
		END { print (t[3] - t[1]) / t[1] * 100, (t[2] - t[3] / 4) / 1e6 }'
	EOF
}

prepare_profile()
{
	local work=$scratch/bin/profile.sh

	printf '%s/measure busy /run/%s\n' "$scratch/bin" 'first 0.5' "$scratch/bin" 'with 2' >"$work"
	compile profile <"$parts/profile.stp" &&
		profile_job profile.tapc "taprun -c 'sh $work' $scratch/bin/profile.ko >/dev/null"
	! has_bpftrace || profile_job profile.kprobe "bpftrace -c '/bin/sh $work' $parts/profile.bt >/dev/null"
}

collect_profile()
{
	local peer

	for peer in tapc kprobe; do
		keep $peer profile "$(result profile.$peer 1)"
		keep $peer profile-files "$(result profile.$peer 2)"
	done
}

timer_prepare() { prepare_timer; }
timer_collect() { collect_work timer; }
profile_prepare() { prepare_profile; }
profile_collect() { collect_profile; }
