#!/bin/bash
# Code that a program makes has the names of its /tmp/perf-PID.map, in its namespaces, also those that are added later; a map that is a link, or belongs to another user, is not read
# kernels: all
# arm64: no, programs of that machine are not compiled here
. "$SRC/tests/lib/session.sh"

shown() { grep -qE "$1" out; }
count() { grep -c "$1" out; }
more() { (($(count "$1") > $2)); }
show() { wait_until shown "$1"; }
start ./t_made.ko
wait_until grep -qx on out

./made &
made=$!
show "^first \(a\.js:1\)\?\[1m\+0x[0-9a-f]+/0x40 \[/tmp/perf-$made\.map\]$"
show '^first \(a\.js:1\)\?\[1m\+0x[0-9a-f]+$'
show '^main\+'
touch second
show "^another \[function\]\+0x[0-9a-f]+/0x40 \[/tmp/perf-$made\.map\]$"
touch over
wait $made || fail "the program: $?"
rm -f over second

# by its number in its namespace, in its /tmp
unshare -pfm sh -c 'mount -t tmpfs none /tmp && ./made; exit $?' &
made=$!
show '^first .* \[/tmp/perf-[1-9]\.map\]$'
! ls /tmp/perf-[1-9].map 2>/dev/null || fail "its /tmp is ours"
touch second over
wait $made || fail "in its namespace: $?"
rm -f over second

# the names of another user or of another file; then its own
for how in 'chown 1000 /tmp/perf-$PID.map' \
	'mv /tmp/perf-$PID.map /tmp/real.$PID && ln -s real.$PID /tmp/perf-$PID.map' \
	'mv /tmp/perf-$PID.map /tmp/real.$PID && mkfifo /tmp/perf-$PID.map'; do
	numbers=$(count '^0x[0-9a-f]*$')
	good=$(count '^good.*map\]$')
	./made "$how" &
	made=$!
	wait_until more '^0x[0-9a-f]*$' "$numbers"
	touch again
	wait_until more '^good.*map\]$' "$good"
	touch over
	wait $made || fail "$how: $?"
	rm -f again over
done
! shown '^(bad|older|large|cut|far|longer|nothing)' || fail "names that are not valid" "$(cat out)"
kill -INT "$pid"
wait "$pid" || fail "taprun: $?" "$(cat err)"
[[ ! -s err ]] || fail "$(cat err)"
rm -f /tmp/perf-*.map /tmp/real.*
