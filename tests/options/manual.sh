#!/bin/bash
# The manual: every function and alias has a text, --help-... finds them, the pages are valid, and the output of its
# examples is correct.
# sanitizers: no
[[ -n $KREL ]] || { echo "no kernel to build for"; exit 77; }
set -e
fail() { echo "$*"; exit 1; }
tapc() { "$TAPC" $TAPC_ARGS "$@"; }

# lists: NAME and its summary
{ tapc --help-function '*'; tapc --help-probe '*'; } >list
awk '{ line = $0; sub(/^[^ ]+(\([^)]*\))* */, "", line); if (line == "") print "no text: " $0 }' list >bare
[[ ! -s bare ]] || fail "$(<bare)"
[[ $(wc -l <list) -gt 400 ]]

tapc --help-function substr >out
grep -qxF 'function substr:string (str:string, start:long, length:long)' out
grep -qxF '@length: its length in bytes' out
tapc --help-probe 'vfs.read.return' | grep -q bytes_read
tapc --help-probe timer.ms | grep -qxF 'timer.ms(number)'
tapc --help-probe timer | grep -q '^timer.profile '
tapc --help-probe 'timer.ms(10)' | grep -qxF 'timer.ms(number)'
! tapc --help-function substrr 2>err || fail 'a function that there is not'
grep -qxF "tapc: error: no function 'substrr'; did you mean 'substr'?" err
! tapc --help-probe vfs.reed 2>err || fail 'a probe that there is not'
grep -qxF "tapc: error: no probe 'vfs.reed'; did you mean 'vfs.read'?" err
! tapc --man-pages /proc/none 2>err || fail 'a folder that cannot be'
grep -q "^tapc: error: cannot create the directory '/proc/none': " err

tapc --man-pages pages
for page in pages/*.3tap; do
	groff -man -Tutf8 -ww -z "$page" >complaints 2>&1
	[[ ! -s complaints ]] || fail "$page: $(head -n 5 complaints)"
done
[[ -s pages/tapset-string.3tap && -s pages/tapfuncs.3tap && -s pages/tapprobes.3tap ]]

# examples: code below "Example:", its output below "Prints:"; N.stp, N.out and N.from
mkdir examples
cat "$SRC"/tapsets/*.stp "$SRC"/tapsets/*/*.stp 2>/dev/null | awk '
	/^\/\*\*$/ { inside = 1; part = ""; next }
	/^ \*\/$/ { inside = 0; next }
	!inside { next }
	heading == "" || /^ \* [^ ].* - / { if (/ - /) heading = $2 }
	/^ \* Example:$/ { part = "examples/" ++n ".stp"; print heading >"examples/" n ".from"; next }
	/^ \* Prints:$/ && part != "" { part = "examples/" n ".out"; next }
	!/^ \*     / { part = ""; next }
	part != "" { sub(/^ \*     /, ""); print >part }'
for example in examples/*.stp; do
	base=${example%.stp}
	if [[ -e $base.out ]]; then
		tapc --simulate "$example" >printed 2>&1 || true
		diff -u "$base.out" printed || fail "example of $(<"$base.from")"
	else
		tapc -w -p3 "$example" >/dev/null || fail "example of $(<"$base.from")"
	fi
done
[[ $(ls examples/*.stp | wc -l) -ge 15 ]]

# and the scripts in the man pages and on the first page
sed "s/\\\\-/-/g; s/\\\\(aq/'/g" "$SRC"/doc/*.[18]* "$SRC"/README.md | sed -n "s/^ *tapc .*-e '\([^']*\)'.*/\1/p" >lines
[[ $(wc -l <lines) -ge 3 ]]
while IFS= read -r script; do
	tapc -w -p3 -e "$script" </dev/null >/dev/null || fail "script of the manual: $script"
done <lines
sed -n 's/^    //; /^# reads.stp/,/^$/p' "$SRC/README.md" >reads.stp
tapc -w -p3 reads.stp >/dev/null && grep -q foreach reads.stp || fail "reads.stp of README.md"
