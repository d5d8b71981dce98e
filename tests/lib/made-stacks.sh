# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
# For tests of stacks through code that a program has made. Needs session.sh.

# From now on the kernel's own thread for huge pages leaves the mappings of processes alone: while it changes them, a
# stack of the process cannot be read.
still_mappings()
{
	local enabled=/sys/kernel/mm/transparent_hugepage/enabled

	[[ ! -e $enabled ]] || echo never >$enabled
}

# whole_stack MODULE STACK WHAT COMMAND...: the session MODULE, for the process of COMMAND, prints STACK; all its other
# stacks are whole, too. The command ends when the file `over` appears. WHAT is it called in messages.
whole_stack()
{
	local module=$1 wanted=$2 what=$3 program

	shift 3
	still_mappings
	"$@" &
	program=$!
	start "./$module" who=$program
	wait_until grep -qx on out
	within grep -qx "$wanted" out || fail "$what: no whole stack" "$(cat out err)"
	sleep 3
	kill -INT "$pid"
	wait "$pid" || fail "$what: taprun: $?" "$(cat err)"
	grep 'times' out | sed "s|^|$what: |"
	touch over
	wait $program || fail "$what: the program: $?"
	rm -f over
	! grep -qE 'caller is unknown|cannot be read' out || fail "$what" "$(cat out)"
	[[ ! -s err ]] || grep -q ', 0 met code without tables, 0 were not readable, 0 met' err || fail "$what" "$(cat err)"
}
