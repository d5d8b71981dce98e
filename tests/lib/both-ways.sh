# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# For preparations (NAME.host) of guest tests that compare direct calls of probes with ftrace's: scripts are translated in both
# ways, as direct_ and as traced_.

# compile NAME: the script on standard input
# shellcheck disable=SC2086
compile()
{
	cat >"$1.stp"
	"$TAPC" $TAPC_ARGS --no-global-var-display -DTAP_DIRECT -p4 -m "direct_$1" "$1.stp" &&
		"$TAPC" $TAPC_ARGS --no-global-var-display -DTAP_NO_DIRECT -p4 -m "traced_$1" "$1.stp" || exit
}

# compile_condition POINT COUNT: condition, which has POINT switched on and off; each time three commands have run. COUNT is
# the size that they write there.
compile_condition()
{
	compile condition <<-END
	global n, on, runs, phase, before, during, off, later
	probe $1 if (on) { if ($2 == 7) n++ }
	probe kernel.trace("sched_process_exit") { if (execname() == "dd") runs++ }
	probe timer.s(1) {
		if (runs < 3) next
		runs = 0
		phase++
		if (phase == 1) { before = n; on = 1 }
		if (phase == 3) { during = n; on = 0 }
		if (phase == 4) off = n
		if (phase == 6) { later = n; on = 1 }
		if (phase == 8) exit()
	}
	probe end { printf("%d %d %d %d\n", before == 0, during > 0, off == later, n > later) }
	END
}
