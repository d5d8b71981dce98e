#!/bin/bash
# -t reports for each probe that was hit how often, how long, and its share; the probe's time is plausible
. "$SRC/tests/lib/session.sh"
begun=$(date +%s%N)
"$TAPRUN" -t -c 'exec dd if=/dev/zero of=/dev/null bs=1 count=1000 status=none' ./t_timing.ko >out 2>err || fail "$?" "$(cat err)"
took=$(($(date +%s%N) - begun))
[[ $(<out) = $'begin\n1000' ]] || fail "$(cat out)"
cat err
[[ $(wc -l <err) = 3 ]] || fail "not three lines"
grep -q '^taprun: begin, (<stdin>:2:1), hits: 1, ns: ' err || fail "begin"
grep -q '^taprun: end, (<stdin>:5:1), hits: 1, ns: ' err || fail "end"
[[ $(grep 'write_null' err) =~ hits:\ ([0-9]+),\ ns:\ ([0-9]+)min/([0-9]+)avg/([0-9]+)max,\ skipped:\ 0,\ CPU:\ ([0-9]+)\.([0-9][0-9])%$ ]] || fail "no times"
hits=${BASH_REMATCH[1]} least=${BASH_REMATCH[2]} average=${BASH_REMATCH[3]} most=${BASH_REMATCH[4]}
share=$((BASH_REMATCH[5] * 100 + 10#${BASH_REMATCH[6]}))	# hundredths of a percent
((hits >= 1000 && least > 0 && least <= average && average <= most && average * hits < took)) || fail "times of $took ns"
# the session was at most this long
((share >= average * hits * 10000 / took - 1 && share <= 10000)) || fail "a share of $share of $took ns"
