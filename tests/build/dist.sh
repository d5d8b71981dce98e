#!/bin/bash
# make dist has all that configure, make and the tests need, and nothing that was built (build/from-dist builds it)
# default: no
# sanitizers: no
set -e
. "$SRC/tests/lib/configure.sh"
unpack_dist
for file in README.md COPYING tests/run tests/vm tests/lib/judge.sh doc/tapc.1 tapsets/context.stp examples; do
	[[ -e $(echo tapc-*/$file) ]] || { echo "$file is not in it"; exit 1; }
done
(cd "$SRC" && find translator runtime tapsets systemd doc editors examples sdt -type f && find tests -type f -name '*.sh') |
	sort >wanted
left=$(find tapc-* -name '*.o' -o -name .deps -o -name cache -type d)
[[ -z $left ]] || { echo "in it is what was built: $left"; exit 1; }
(cd tapc-* && find . ! -type d | sed 's#^\./##' | sort) >packed
[[ $(wc -l <wanted) -gt 1000 ]]
missing=$(comm -23 wanted packed)
[[ -z $missing ]] || { echo "not in it: $missing"; exit 1; }
