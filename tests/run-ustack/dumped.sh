#!/bin/bash
# Stacks through code that a program makes are whole, with and without frame pointers, and have the names and lines of its dump for perf: code that is loaded, moved, replaced and closed, in its namespaces; what is malformed, and a dump that belongs to another user, is left out
# kernels: all
# arm64: no, programs of that machine are not compiled here
. "$SRC/tests/lib/session.sh"

shown() { grep -qE "$1" out; }
show() { within shown "$1" || fail "$(cat out)"; }
here=${PWD//+/\\+}
start ./t_dumped.ko
wait_until grep -qx on out
mkdir dumps && mount -t tmpfs none dumps || fail "mount"

first='first at dir/made\.src:11'
# dumped DIRECTORY [HOW]; then its stacks
for how in '' closed 'rm $DUMP' later; do
	./dumped "$PWD/dumps" "$how" &
	made=$!
	[[ $how = later ]] || show "^$made: reached last frameless \?\[1m jumping $first use main$"
	[[ $how != later ]] || show "^$made: reached \? frameless \?\[1m jumping $first use main$"
	touch second
	show "^$made: reached $first frameless \?\[1m jumping last use main$"
	touch over
	wait $made || fail "$how: $?"
	rm -f second over
done
show "^ 0x[0-9a-f]+ : jumping\+0x1a/0x40 \[$here/dumps/jit-[0-9]+\.dump( \(deleted\))?\]$"

# in its namespaces, with its own root
unshare -pfm bash -c 'mount -t tmpfs none dumps && ./dumped "$PWD/dumps"; exit $?' &
made=$!
show "\[$here/dumps/jit-[1-9]\.dump\]$"
! ls dumps/jit-[1-9].dump 2>/dev/null || fail "its files are ours"
touch second over
wait $made || fail "in its namespace: $?"
rm -f second over

# of another user: numbers, and whole stacks
./dumped "$PWD/dumps" 'chown 1000 $DUMP' &
made=$!
show "^$made: reached \? \? \? \? use main$"
touch second over
wait $made || fail "of another user: $?"

! shown '(bad|older|replaced|large)' || fail "names that are not valid" "$(cat out)"
# the first stacks, without names, may come before the tables
! awk '/^[0-9]+:/ { known = /jumping/ } known' out | grep -E 'caller is unknown|cannot be read' || fail "a stack is incomplete" "$(cat out)"
kill -INT "$pid"
wait "$pid" || fail "taprun: $?" "$(cat err)"
# the first ones may come before the tables of libc
[[ ! -s err ]] || grep -q ', 0 met code without tables, 0 were not readable, 0 met' err && [[ $(wc -l <err) -le 1 ]] || fail "$(cat err)"
umount dumps
