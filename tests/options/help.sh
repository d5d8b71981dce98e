#!/bin/bash
# -h names options with their letters, -V the version; both on stdout, status 0
set -e
"$TAPC" -h >out 2>err
[[ ! -s err ]]
for option in -e -E -I -D -G -g -c -x -T -o -S -b -s -F -t -w -W -p -v -k -m -r -a -B -h -V \
	--vm --sysroot --simulate --kbuild --disable-cache --clean-cache --color --sessions --detach --attach --stop --sign --output; do
	grep -q -- "$option" out || { echo "$option is not in -h"; exit 1; }
done
[[ $("$TAPC" -V) =~ ^tapc\ [0-9]+\.[0-9] ]]
"$TAPC" --help >/dev/null
"$TAPC" --version >/dev/null
# built-in functions and macros are described and suggested like functions
# shellcheck disable=SC2086
word() { "$TAPC" $TAPC_ARGS --help-function "$1" >out 2>err; }
word printf && grep -q '^printf ("format", value, ...)$' out
word @count && grep -q '^@count:long (aggregate)$' out
word count && grep -q '^@count' out
word @print_top && grep -q '^macro @print_top (array, n)$' out && grep -q 'of the n elements' out
word print_top2 && grep -q '^macro @print_top2 (array, n)$' out && grep -q 'of the n elements' out
! word pritnf && grep -q "did you mean 'printf'?" err
! word @print_tpo && grep -q "did you mean '@print_top'?" err
