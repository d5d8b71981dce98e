#!/bin/bash
# kill -9 of taprun: its probes are off immediately, in any state, a long begin or end stops, and the next run removes its module
# kernels: all
# hardened: no, another name (-R) would invalidate the signature
. "$SRC/tests/lib/session.sh"
kill_it()
{
	kill -9 $pid
	wait $pid 2>/dev/null
	wait_until not_probed write_null
}
next_run()
{
	"$TAPRUN" -R -T 0.05 ./t_killed.ko >next.out 2>next.err || fail "$1: next run: $?" "$(cat next.err)"
	[[ $(tail -n 1 next.out) = ended ]] || fail "$1: next run" "$(cat next.out)"
	[[ $(grep -c '^t_killed' /proc/modules) = 0 ]] || fail "$1: left behind" "$(cat /proc/modules next.err)"
}
start ./t_killed.ko
printed begun
probed write_null || fail "not probed while running"
kill_it
loaded t_killed || fail "unloaded while it was running"
next_run running

start ./t_killed.ko slow=400000000
wait_until loaded t_killed
wait_until test -e /proc/tap:t_killed/cpu0
kill_it
next_run starting

start ./t_killed.ko slow=20000000
printed begun
kill -TERM $pid
sleep 0.1
kill_it
next_run stopping

start -c 'echo $$ >sleeper; exec sleep 3000' ./t_killed.ko
wait_until test -s sleeper
kill_it
next_run "with a command"
kill "$(<sleeper)"
