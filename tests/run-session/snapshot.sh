#!/bin/bash
# The recorder: a snapshot by a condition on latency has exactly what happened meanwhile; one at the end has all of it, with
# the names of threads that have ended
# timeout: 300
# kernels: all
. "$SRC/tests/lib/session.sh"
show() { python3 "$SRC/tests/lib/timeline.py" "$@"; }
"$TAPRUN" --output=perfetto -o trace -c 'exec ./snapshot' ./t_snapshot.ko 2>err || fail "$?" "$(cat err)"
show perfetto trace >printed || fail "prints"
grep -q 'point taken 1 ' printed || fail "not taken" "$(cat printed)"
[[ ! -e trace.3 && ! -e trace.1.part ]] || fail "files" "$(ls)"
show perfetto trace.1 >first && show perfetto trace.2 >second || fail "not a timeline"
# the waiter's wait, and nothing before or after it
awk -F': ' -v most="$(most_wakes)" '
	{ split($2, w, " ") }
	$1 == "caller/caller" && w[2] == "getppid" { calls++ }
	$1 == "caller/caller" && w[2] == "clock_nanosleep" { naps++; nap = w[4] }
	$1 == "caller/caller" && $2 ~ /^point wakes sleeper .* from/ { wakes++ }
	$1 == "caller/sleeper" && $2 ~ /^point runs .* to/ { runs++ }
	$1 == "caller/caller" && $2 ~ /^point parent / { parents += !seen[w[3]]++ }
	w[2] == "getsid" { others++ }
	$1 ~ /^CPU [0-9]+$/ && $2 ~ /^slice caller [0-9]+ / { on_cpu++ }
	END {
		once = wakes == runs && wakes >= 20 && wakes <= 20 * most
		# how long it is depends on clocks
		printf "%d %d %d %d %d %d %d\n", calls, naps && nap, once ? 20 : wakes, once ? 20 : runs, parents, others, (on_cpu > 0)
	}' first >counts
[[ $(<counts) = '1000 1 20 20 1000 0 1' ]] || fail "$(grep caller first | tail -n 40)" "first: $(<counts)"
# everything: the sum of the events in the file and the older ones is what was recorded
calls=$(grep -c '^caller/caller: point parent ' second)
others=$(grep -c '^caller/caller: slice getsid ' second)
[[ $calls = 1000 && $others = 200 ]] || fail "$(grep caller second | tail -n 40)" "second: $calls $others"
grep -q '^caller/waiter: slice ' second || fail "no name of a thread that has ended"
set -- $(sed -n "s/^taprun: snapshot 'trace.2': \([0-9]*\) events of [0-9.]* s; \([0-9]*\) older.*/\1 \2/p" err)
grep -q "point events $(($1 + $2)) missed 0 taken 1 " printed || fail "the sum of $*" "$(cat err printed)"
[[ $(wc -l <err) = 2 ]] || fail "messages" "$(cat err)"
gone t_snapshot || fail "still loaded"
