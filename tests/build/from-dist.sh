#!/bin/bash
# What make dist packs can be built, outside of its tree
# default: no
# sanitizers: no
set -e
. "$SRC/tests/lib/tapset-scripts.sh"
. "$SRC/tests/lib/configure.sh"
unpack_dist
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
