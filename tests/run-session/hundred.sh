#!/bin/bash
# A hundred sessions at once: each sees every call and has its own output; all are unloaded
# default: no
# timeout: 1200
. "$SRC/tests/lib/session.sh"
pids=()
for ((i = 0; i < 100; i++)); do
	"$TAPRUN" -R ./t_hundred.ko id=$i >out.$i 2>err.$i &
	pids+=($!)
done
for ((i = 0; i < 100; i++)); do
	wait_until grep -qsx "begin $i" out.$i
done
[[ $(grep -c '^t_hundred' /proc/modules) = 100 ]] || fail "$(grep -c '^t_hundred' /proc/modules) modules"
dd if=/dev/zero of=/dev/null bs=1 count=1000 status=none
"$TAPRUN" --sessions >sessions
[[ $(grep -c '^t_hundred_.* 1001 ' sessions) = 100 ]] || fail "--sessions" "$(cat sessions)"
kill -INT "${pids[@]}"
for ((i = 0; i < 100; i++)); do
	wait "${pids[i]}" || fail "session $i: $?" "$(cat err.$i)"
	[[ $(<out.$i) = "begin $i"$'\n'"$i saw 1000" && ! -s err.$i ]] || fail "session $i" "$(cat out.$i err.$i)"
done
! grep '^t_hundred' /proc/modules
