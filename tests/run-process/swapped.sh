#!/bin/bash
# Returns of Go functions whose goroutine is swapped out: none is lost, and the goroutine has its number
# kernels: all
# default: no
# packages: golang-go
. "$SRC/tests/lib/session.sh"
. "$SRC/tests/lib/memory.sh"
[[ -e swapped ]] || { echo "there is no Go compiler (package golang-go)"; exit 77; }
swap_on 64M
# on one processor, whose list of new pages madvise empties
"$TAPRUN" -v -c 'taskset -c 0 ./swapped >program' -o out ./t_swapped.ko 2>err || fail "taprun: $?" "$(cat err)"
[[ $(<program) = 20100 ]] || fail "the program: $(cat program)"
grep -qx 'calls 200, returns 200, unknown 0' out || fail "$(cat out err)"
read -r fetched < <(sed -n 's/.*was fetched for \([0-9]*\) reads.*/\1/p' err)
((fetched > 20)) || fail "fetched: $fetched" "$(cat err; grep pswp /proc/vmstat)"
