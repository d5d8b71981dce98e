# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# For tests in the guest that drive taprun by hand.

fail()
{
	echo "$*"
	exit 1
}

# wait_until COMMAND...: till it succeeds
wait_until()
{
	local i

	for ((i = 0; i < 600; i++)); do
		"$@" && return
		sleep 0.05
	done
	fail "never came true: $*"
}

loaded() { grep -q "^$1 " /proc/modules; }
gone() { ! loaded "$1"; }

# probed FUNCTION: is there a hook or a breakpoint of anybody on it?
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

# printed TEXT: wait until a line of ./out has it
printed() { wait_until grep -qs -- "$1" out; }

# The command TAP_START, for a control file.
start_command()
{
	printf 'tap1\x02\x00\x03\x00\x00\x00\x00\x00'
}
