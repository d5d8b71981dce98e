#!/bin/bash
# make dist has all that configure, make and the tests need, and builds outside of its tree
# sanitizers: no
set -e
. "$SRC/tests/lib/tapset-scripts.sh"
. "$SRC/tests/lib/configure.sh"
mkdir build
(cd "$BUILD" && tar -c --exclude=./tests/cache . 2>/dev/null) | tar -x -C build
(cd build && make -s dist >../log 2>&1) || { tail -n 20 log; exit 1; }
tar xf build/tapc-*.tar.*
mkdir out
cd out
# shellcheck disable=SC2211
../tapc-*/configure --cache-file="$(configure_cache)" CFLAGS=-O0 >../log 2>&1 || { tail -n 20 ../log; exit 1; }
make -s -j2 >../log 2>&1 || { tail -n 20 ../log; exit 1; }
./tapc -p1 -e 'probe begin { println(1) }' | grep -q begin
each_tapset_works ./tapc "$(echo ../tapc-*/tapsets)"
# As if a tapset were removed: its C goes, and that of the others stays.
echo '#error "of a tapset that is gone"' >share/runtime/tapsets/gone.c
touch Makefile
make -s share/.stamp >../log 2>&1 || { tail -n 20 ../log; exit 1; }
[[ ! -e share/runtime/tapsets/gone.c && -s share/runtime/tapsets/context.c ]] || { echo 'gone.c is still there'; exit 1; }
for file in README.md COPYING tests/run tests/vm tests/lib/judge.sh doc/tapc.1 tapsets/context.stp examples; do
	[[ -e $(echo ../tapc-*/$file) ]] || { echo "$file is not in it"; exit 1; }
done
(cd "$SRC" && find translator runtime tapsets systemd doc -type f && find tests -type f -name '*.sh') >../have
left=$(find ../tapc-* -name '*.o' -o -name .deps -o -name cache -type d)
[[ -z $left ]] || { echo "in it is what was built: $left"; exit 1; }
while read -r file; do
	[[ -e $(echo ../tapc-*/"$file") ]] || { echo "$file is not in it"; exit 1; }
done <../have
