#!/bin/bash
# Memory of a program that is not present is fetched for a handler without an effect so far: 10,000 of 10,000 strings that are in no memory
# kernels: all
# timeout: 400
# default: no
. "$SRC/tests/lib/session.sh"
modprobe -a loop ext4 || exit
truncate -s 64M disk && mkfs.ext4 -q -O ^has_journal -b 4096 disk && mkdir mnt && mount -o loop disk mnt || fail "no disk"
trap 'umount mnt' EXIT
./cold make mnt/file && umount mnt && mount -o loop disk mnt || fail "no file"
passes='entered 10000 10000
left 1000 1000
given 1000 1000
marked 1000 1000
printed 1000 1000
crossing 100 100
described 100 100
several 100 100
warned 100 100
counted 100 100'

"$TAPRUN" -v -c './cold mnt/file >program' -o out ./t_fetch.ko 2>err || fail "taprun: $?" "$(cat err out)"
[[ $(<program) = "$passes" ]] || fail "not all pages were absent" "$(cat program)"
[[ $(grep -v '^printed' out) = 'right 13300, wrong 0
counted 100, found 0, missed 100
bad 1 empty
bad 3 user string copy fault [man error::fault]
bad 1 user string copy fault [man error::fault] at 0x0' ]] || fail "the results" "$(grep -v '^printed' out | tail -n 20)"
[[ $(grep -c '^printed text' out) = 1000 && $(sort -u out | grep -c '^printed text') = 1000 ]] || fail "the prints"
grep -q 'memory of programs was fetched for 14701 reads, and could not be for 2$' err || fail "the counts" "$(cat err)"
grep -q 'fault at' err && fail "a warning of memory that was fetched" "$(cat err)"
grep -q 'function("warned"): hits: 100, skipped: 0' err || fail "the hits" "$(cat err)"
grep -q 'function("entered"): hits: 10000, skipped: 0' err || fail "the hits" "$(cat err)"
grep -q 'function("left").return: hits: 1000, skipped: 0' err || fail "the hits of returns" "$(cat err)"

# with -DTAP_NO_FETCH nothing is fetched: every read of an absent page fails
"$TAPRUN" -v -c './cold mnt/file >program' -o out ./t_keep.ko 2>err || fail "taprun: $?" "$(cat err out)"
[[ $(<program) = "$passes" ]] || fail "not all pages were absent" "$(cat program)"
grep -q '^right 0, wrong 13300$' out || fail "something was fetched" "$(tail -n 10 out)"
[[ $(grep -c '^printed' out) = 0 && $(grep -c 'user string copy fault at' err) = 100 ]] || fail "warnings" "$(tail err)"
grep -q 'was fetched' err && fail "counted as fetched" "$(cat err)"
exit 0
