# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
# A storm in the guest: runs rounds until COUNT are done or SECONDS are over, and checks the results.
#	storm.sh NAME COUNT SECONDS	0: no limit

. "$SRC/tests/lib/kernel-log.sh"
. "$SRC/tests/lib/session.sh"

storm_name=$1 storm_count=$2 storm_seconds=$3
storm_done=0 storm_complaints=0 storm_stopped=""
storm_log=/run/storm.log
RANDOM=$SEED

# did NUMBER: add to the count
did() { ((storm_done += $1)); }

# Failures in a round that was interrupted are ignored, and so are those of programs that finish() waits for.
complaint()
{
	[[ $storm_stopped != now ]] || return
	((storm_complaints++))
	echo "COMPLAINT: $*"
}

# For functions in session.sh; the storm continues.
fail() { complaint "$*"; }

# wait_for PID...: wait until all have ended, also after the signal that stops the storm, which interrupts wait; the status
# is that of the last one
wait_for()
{
	local pid status

	for pid; do
		until wait "$pid"; status=$?; ! kill -0 "$pid" 2>/dev/null; do :; done
	done
	return $status
}

storm_told=-1
progress()
{
	((SECONDS - storm_told >= 10)) || [[ -n $1 ]] || return 0
	storm_told=$SECONDS
	echo "storm: at $storm_done $counts, $storm_complaints complaints, $SECONDS s"
}

storm_over()
{
	[[ -n $storm_stopped ]] || ((storm_complaints)) || ((storm_count && storm_done >= storm_count)) || ((storm_seconds && SECONDS >= storm_seconds))
}

# pick WORD...: a random one
pick()
{
	local n=$((RANDOM % $# + 1))

	echo "${!n}"
}

# ---- a user of tapd ----

# user_begin MODULE: the user ann, a member of tapdev, who may read MODULE; sets TAPD_SOCKET
user_begin()
{
	export TAPD_SOCKET=/run/storm/tapd.sock
	groupadd -f tapdev
	id ann >/dev/null 2>&1 || useradd -M ann
	usermod -G tapdev ann
	chmod a+rx . "$BUILD"
	chmod a+r "$1"
}

as_user() { setpriv --reuid ann --regid ann --init-groups --bounding-set -all "$@"; }

# ---- the kernel's log, saved as it is written: it holds only the last quarter of a megabyte ----

# A new reader of /dev/kmsg gets the whole log; messages of the boot do not belong to the storm.
watch_log()
{
	echo '<6>storm: begin' >/dev/kmsg
	: >$storm_log
	(trap '' TERM; exec cat /dev/kmsg >>$storm_log 2>/dev/null) &	# until the end, although all processes here receive SIGTERM
	log_watcher=$!
}

judge_log()
{
	local text

	text=$(sed -e '1,/;storm: begin$/d' -e 's/^[^;]*;//' $storm_log | grep -v 'cat /dev/kmsg' |
		kernel_log_judged "/lib/modules/$(uname -r)/modules.dep" 'invoked oom-killer|allocation failure|vmalloc error' |
			grep -m 1 -A 60 -E "$kernel_splat")
	[[ -z $text ]] || complaint "the kernel:"$'\n'"$text"
}

# ---- leftovers ----

leftovers()
{
	grep '(.*O.*)$' /proc/modules
	ls -d /proc/tap:*
	ls -d /proc/systemtap/*
	grep . /sys/kernel/debug/kprobes/list
	grep -h tap: /sys/devices/system/cpu/hotplug/states
} 2>/dev/null

judge_leftovers()
{
	local now

	now=$(diff <(sort -u <<<"$left_before") <(leftovers | sort -u) | grep '^>')
	[[ -z $now ]] || complaint "left in the kernel:"$'\n'"$now"
}

# unreclaimable memory of the kernel in kB
kernel_memory()
{
	echo 3 >/proc/sys/vm/drop_caches
	awk '/^(SUnreclaim|VmallocUsed|Percpu|KernelStack|PageTables):/ { n += $2 } END { print n }' /proc/meminfo
}

# Without those of the kernel: Linux 6.1 loses a table when one call of register_ftrace_direct_multi() lets it grow twice.
judge_leaks_known()
{
	awk '/^unreferenced object/ { if (!known) printf "%s", text; text = ""; known = 0 }
		/ ftrace_add_rec_direct\+/ { known = 1 }
		{ text = text $0 "\n" }
		END { if (!known) printf "%s", text }'
}

judge_leaks()
{
	local leaks=/sys/kernel/debug/kmemleak text

	echo "storm: the kernel's memory: $memory_before kB before the rounds, $(kernel_memory) kB after $storm_done $counts"
	[[ -w $leaks ]] || return 0
	echo scan >$leaks
	sleep 6		# memory allocated less than 5 s ago is not reported yet
	echo scan >$leaks
	text=$(judge_leaks_known <$leaks | head -c 10000)
	[[ -z $text ]] || complaint "kmemleak:"$'\n'"$text"
}

# ---- a storm ----

begin() { :; }
finish() { :; }
while read -r setting; do
	[[ -z $setting ]] || declare "${setting%%=*}=${setting#*=}"
done <settings
# shellcheck disable=SC1090
. "$SRC/tests/storm.d/$storm_name.sh"
mkdir -p /run/storm
# modules that an earlier run has compiled probe the programs in its directory
[[ $COMPILED = "$PWD" ]] || mount --bind . "$COMPILED"
echo "storm: seed $SEED, $(nproc) processors"
[[ ! -w /sys/kernel/debug/kmemleak ]] || echo clear >/sys/kernel/debug/kmemleak
watch_log
begin
left_before=$(leftovers)
memory_before=$(kernel_memory)
trap 'storm_stopped=now' TERM
for ((storm_round = 1; ; storm_round++)); do
	round $storm_round
	storm_stopped=${storm_stopped:+before}
	judge_log
	progress
	! storm_over || break
done
storm_stopped=${storm_stopped:+now}
finish
[[ -z $storm_stopped ]] || "$TAPRUN" -d '*'	# the round did not get there
storm_stopped=${storm_stopped:+before}
judge_leftovers
judge_leaks
judge_log
progress at-the-end
dmesg --clear		# everything in it has been checked
kill -KILL "$log_watcher" 2>/dev/null	# it has already ended if the log cannot be read
((storm_complaints == 0))
