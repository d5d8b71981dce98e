#!/bin/bash
# A program that pretends to be Python and breaks its own structures gets stacks of what it has at the time, without harm
# kernels: all
# arm64: no, programs of that machine are not compiled here
# timeout: 200
. "$SRC/tests/lib/session.sh"
"$TAPRUN" -c "./hostile 2000" ./t_hostile.ko >out 2>err || fail "$?" "$(tail -n 3 err)"
[[ ! -s err ]] || fail "messages" "$(cat err)"
tail -n 1 out | grep -qx '2000 hits, [0-9]* stacks' || fail "hits" "$(tail -n 3 out)"
[[ $(tail -n 1 out | cut -d' ' -f3) -gt 500 ]] || fail "stacks" "$(tail -n 1 out)"
# each line is a function, a file and a line, of what the program has at the time, without characters that terminals obey
sed '$d' out | LC_ALL=C grep -avE '^ (.* at .*:[0-9]+|\(incomplete: memory of the process cannot be read\))$' | head -n 3 | grep . && fail "lines"
! LC_ALL=C grep -aq $'\x1b' out || fail "escapes"
grep -q '^ abc;def?\[1mg at abc;def?\[1mg:[0-9]*$' out || fail "none is whole"
grep -q '^ (incomplete' out || fail "none is incomplete"
tail -n 1 out
