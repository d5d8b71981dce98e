#!/bin/bash
# After a run was killed, the runtime of a kernel is built once by two concurrent runs, and again if one of its
# files is damaged; only the template and the directory in which it grows are left in the cache.
# sanitizers: no
# timeout: 900
set -e

export XDG_CACHE_HOME=$PWD/cache
kernels=$PWD/cache/tapc/kernels

run()
{
	# shellcheck disable=SC2086
	"$TAPC" $TAPC_ARGS -v -p4 -m "$1" -e 'probe begin { exit() }' >"$1.out" 2>"$1.err"
}

builds() { cat "$@" | grep -c '^tapc: building the runtime' || :; }

nothing_left()
{
	[[ $(find "$kernels" -mindepth 1 -maxdepth 1 ! -name '*.build' | wc -l) = 1 &&
		$(find "$kernels" -mindepth 1 -maxdepth 1 | wc -l) = 2 ]] && return
	echo "$1 left:"
	ls -A "$kernels"
	exit 1
}

run killed & pid=$!
for ((i = 0; i < 300; i++)); do
	[[ -z $(compgen -G "$kernels/*.build/script.c") ]] || break
	sleep 0.1
done
pkill -9 -P $pid || :
wait $pid || :

run one & first=$!
run two & second=$!
wait $first
wait $second
cmp one.ko two.ko >/dev/null && { echo "one name for two modules"; exit 1; }
[[ $(builds one.err two.err) = 1 ]]
nothing_left "two runs at once after a killed one"

for damaged in "$kernels"/*/libtap.a; do
	printf X | dd of="$damaged" bs=1 seek=3000 conv=notrunc 2>/dev/null
done
rm -rf cache/tapc/entries/*
run repaired
[[ $(builds repaired.err) = 1 ]]
grep -q 'is damaged' repaired.err
nothing_left "a repaired template"

rm -rf cache/tapc/entries/*
run warm
[[ $(builds warm.err) = 0 ]]
cmp -s one.ko warm.ko && { echo "one name for two modules"; exit 1; }
exit 0
