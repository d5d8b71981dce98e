#!/bin/bash
# A file that the disk has no room for ends after a whole event, with a mark; its first part is what the whole file has
# default: no
# sanitizers: no
make -s -C "$BUILD" tests/unit/staging-timeline >log 2>&1 || { cat log; exit 1; }
fail() { echo "$*"; exit 1; }
show() { python3 "$SRC/tests/lib/timeline.py" "$1" "$2" >"$2.txt" || fail "$2"; }
"$BUILD/tests/unit/staging-timeline" >out || fail "unit test"
grep -qx "'standard output' does not end with a whole event: Operation not permitted" out || fail "$(cat out)"
for format in perfetto chrome firefox; do
	"$BUILD/tests/unit/staging-timeline" $format whole.$format 100000000000 2>/dev/null
	show $format whole.$format
	[[ $(wc -l <whole.$format.txt) = 10000 ]] || fail "$format: not all events"
	for most in 10000 65536 100000 200001; do
		"$BUILD/tests/unit/staging-timeline" $format cut $most 2>err || fail "$format $most: $? $(cat err)"
		grep -q "cannot write to 'cut': File too large" err || fail "$most: $(cat err)"
		[[ $(stat -c %s cut) -le $most && $(stat -c %s cut) -gt $((most - 140000)) ]] || fail "$most: $(stat -c %s cut)"
		show $format cut
		grep -c '^tapc: point the disk is full: later events are missing ' cut.txt | grep -qx 1 || fail "$most: no mark"
		grep -v '^tapc:\| open$' cut.txt >slices || true
		head -n "$(wc -l <slices)" whole.$format.txt | cmp - slices || fail "$most: other slices"
	done
	[[ -s slices ]] || fail "nothing is left"
done
