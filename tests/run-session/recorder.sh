#!/bin/bash
# -F keeps the newest records in constant memory; --sessions lists and --stop ends sessions with and without a reader
# kernels: all
. "$SRC/tests/lib/session.sh"
"$TAPRUN" -F -s 1 ./t_recorder.ko || fail "-F: $?"
taskset -c 0 dd if=/dev/zero of=/dev/null bs=1 count=1000 status=none
"$TAPRUN" --sessions >before
taskset -c 0 dd if=/dev/zero of=/dev/null bs=1 count=39000 status=none
"$TAPRUN" --sessions >after
cat after
memory() { awk '$1 == "t_recorder" { print $9 }' "$1"; }
[[ -n $(memory after) && $(memory before) = "$(memory after)" ]] || fail "memory" "$(cat before after)"
awk '$1 == "t_recorder" && $2 == "root" && $3 == "detached" && $6 >= 40001 { ok = 1 } END { exit !ok }' after || fail "--sessions"
"$TAPRUN" --stop t_recorder >out 2>err || fail "--stop: $?" "$(cat err)"
gone t_recorder || fail "still there"
[[ $(tail -n 1 out) = end ]] || fail "no end"
# the newest records, in order, as many as fit in a megabyte
awk '$1 ~ /^[0-9]+$/ { n++; if (last && $1 != last + 1) gaps++; last = $1 }
	END { print last, (n > 15000 && n < 39000), gaps + 0 }' out >verdict
[[ $(<verdict) = '40000 1 0' ]] || fail "newest" "$(cat verdict; head -c 500 out; tail -n 2 out | cut -c 1-20)"
start ./t_reader.ko
printed begin
"$TAPRUN" --stop t_reader 2>err2 || fail "--stop of one with a reader: $?" "$(cat err2)"
wait $pid || fail "its taprun: $?"
[[ $(tr '\n' ' ' <out) = 'begin end ' ]] && gone t_reader || fail "stopped" "$(cat out err)"
"$TAPRUN" --stop t_reader 2>err && fail "--stop of nothing"
grep -q "no module 't_reader'" err || fail "$(cat err)"

# on disk: files of a megabyte, only the newest three
"$TAPRUN" -F -s 8 -o 'disk-%Y' -S 1,3 ./t_recorder.ko >number || fail "-F -o: $?"
taskset -c 0 dd if=/dev/zero of=/dev/null bs=1 count=25000 status=none
"$TAPRUN" --stop t_recorder || fail "--stop of a daemon"
wait_until eval '! kill -0 $(<number) 2>/dev/null'
[[ $(ls disk-* | wc -l) = 3 ]] || fail "files: $(ls disk-*)"
ls disk-* | sort -t . -k 2n | xargs cat | awk '$1 ~ /^[0-9]+$/ { if (last && $1 != last + 1) bad++; last = $1 }
	END { print bad + 0, last }' >verdict
[[ $(<verdict) = '0 25000' ]] || fail "disk: $(<verdict)"
