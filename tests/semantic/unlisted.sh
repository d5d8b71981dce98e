#!/bin/bash
# Which arrays have no list of their elements: those that are used only by their keys.
# shellcheck disable=SC2086
fail() { echo "$*"; cat out; exit 1; }

# listed WANTED SCRIPT OPTION...
listed()
{
	local wanted=$1 script=$2 unlisted

	shift 2
	"$TAPC" $TAPC_ARGS -w -p3 "$@" -e "global a $script" >out 2>&1 || fail "$script: does not translate"
	unlisted=$(sed -n 's/.*\.unlisted = \([01]\).*/\1/p' out)
	[[ $unlisted = $((!wanted)) ]] || fail "$script: '$unlisted', expected $((!wanted))"
}

use='probe timer.s(1) { a[tid()] = 1; println(a[1], 1 in a); delete a[tid()] }'
listed 0 "$use"
listed 0 "$use probe timer.s(2) { delete a }"
grep -q 'tap_map_delete_found_unlisted' out || fail "no call for an unlisted array"
grep -q 'tap_map_slot_number\|tap_map_delete_found(' out && fail "a call for a listed array"
# whatever walks through the elements, also in functions and conditions
listed 1 "$use probe timer.s(2) { foreach (k in a) println(k) }"
listed 1 "$use function f() { foreach (k in a) return k } probe timer.s(2) { println(f()) }"
listed 1 "$use function f() { foreach (k in a) return k } probe timer.s(2) if (f() > 1) { println(1) }"
listed 1 "$use probe timer.s(2) { delete a[*] }"
listed 1 "$use probe timer.s(2) { println([*] in a) }"
listed 1 "$use" --hand-over
listed 1 'probe timer.s(1) { a[tid()]++ }'		# it is printed at the end
# other keys and values
listed 1 'probe timer.s(1) { a[execname()] = 1; println(a["x"]) }'
listed 1 'probe timer.s(1) { a[1, 2] = 1; println(a[1, 2]) }'
listed 1 'probe timer.s(1) { a[1] = "x"; println(a[1]) }'
"$TAPC" $TAPC_ARGS -w -p3 -e 'global a%[9] probe timer.s(1) { a[1] = 1; println(a[1]) }' >out 2>&1
grep -q '\.unlisted = 0' out || fail "an array that wraps"
