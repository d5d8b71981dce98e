# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034
# For tests in the guest that run taprun by hand.

fail()
{
	echo "$*"
	exit 1
}

# What waits for something looks for it without other processes: each costs an emulated processor as much time as it sleeps.

# pause SECONDS: sleep; nothing is ever written to the pipe
pause()
{
	[[ -p /run/pause ]] || mkfifo /run/pause
	read -r -t "$1" <>/run/pause
}

# within COMMAND...: waits until it succeeds, two minutes ($patience) at most, and longer on a slow kernel; false after that
within()
{
	local end=$((SECONDS + ${patience:-120} * ${SLOW:-1}))

	while ((SECONDS < end)); do
		"$@" && return
		pause 0.05
	done
	return 1
}
wait_until() { within "$@" || fail "did not become true: $*"; }

# Prints how often a write to a pipe may wake the reader: on a real-time kernel again, if the reader waits for the pipe's lock.
most_wakes() { [[ $(uname -v) = *PREEMPT_RT* ]] && echo 2 || echo 1; }

loaded()
{
	local name _

	while read -r name _; do
		[[ $name != "$1" ]] || return 0
	done </proc/modules
	return 1
}
gone() { ! loaded "$1"; }

# probed FUNCTION: whether any hook or breakpoint is on it
probed()
{
	grep -q "^$1 " /sys/kernel/tracing/enabled_functions || grep -q " $1+" /sys/kernel/debug/kprobes/list
}
not_probed() { ! probed "$1"; }

# start ARGUMENT...: taprun in the background as $pid, its output in ./out and ./err
start()
{
	rm -f out err
	"$TAPRUN" "$@" >out 2>err &
	pid=$!
}

# background FILE COMMAND...: start it as $!, with its output in FILE, where nothing of an earlier command is found any more
background()
{
	: >"$1"
	"${@:2}" >"$1" 2>&1 &
}

# contains FILE [TEXT]: whether there is TEXT, or anything, in it
contains()
{
	local text

	[[ -s $1 ]] || return
	IFS= read -r -d '' text <"$1"
	[[ $text = *"${2-}"* ]]
}

# printed [TEXT]: wait until ./out contains TEXT, or anything
printed() { wait_until contains out "$@"; }

# The start of a command, as a printf format: the magic number and the version in tap_version.h. Without other processes, as
# most tests read this file.
while read -r _ macro wire_version; do
	[[ $macro != TAP_WIRE_VERSION ]] || break
done <"$SRC/runtime/abi/tap_version.h"
wire_version=${wire_version%u}
printf -v wire_head 'tap1\\x%02x\\x%02x' $((wire_version & 255)) $((wire_version >> 8))
export wire_head

# The command TAP_START, for a control file.
start_command()
{
	# shellcheck disable=SC2059
	printf "$wire_head"'\x03\x00\x00\x00\x00\x00'
}

# own_command UID: the command TAP_OWN, without limits
own_command()
{
	local zeros='\0\0\0\0\0\0\0\0'

	# shellcheck disable=SC2059
	printf "$wire_head\x09\x00\x18\x00\x00\x00$(printf '\\x%02x\\x%02x\\0\\0' $(($1 & 255)) $(($1 >> 8)))\0\0\0\0$zeros$zeros"
}

# each_fails MODULE MOST [CHECK]: loads MODULE so that its first registration fails, then the second, until the K-th
# start succeeds. Each time it must be unloaded again, and CHECK K must hold before that. Sets k.
each_fails()
{
	local status

	for ((k = 1; k < $2; k++)); do
		insmod "./$1.ko" fail_at=$k || fail insmod
		exec 3<>"/proc/tap:$1/control"
		start_command >&3 2>err
		status=$?
		[[ -z $3 ]] || "$3" $k
		exec 3>&-
		rmmod "$1" || fail "$k: cannot be unloaded"
		[[ $status != 0 ]] || break
	done
	echo "$k registrations"
}

# Lets any user mount FUSE file systems, as on a machine with udev: for tests/adversary/silent.c, which a line `# host:
# gcc -O2 -o silent "$SRC/tests/adversary/silent.c"` compiles.
allow_fuse()
{
	modprobe fuse && chmod 666 /dev/fuse || { echo 'this kernel has no FUSE'; exit 77; }
}
