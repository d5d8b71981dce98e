#!/bin/bash
# .fallible: functions whose results may be error numbers, by their types
[[ -n $KREL ]] || { echo "no kernel to build for"; exit 77; }
# shellcheck disable=SC2086
tapc() { "$TAPC" $TAPC_ARGS "$@" 2>&1; }
# an int, a pointer, a long, an unsigned long; nothing, a bool
for name in vfs_mkdir do_filp_open vfs_read do_mmap fput capable; do
	echo "$name: $(tapc -l "kernel.function(\"$name\").fallible.return" | grep -c '^kernel.function')"
done
tapc -p2 -e 'probe kernel.function("fput").fallible.return { }' | sed -n 's/^[^ ]* note: \(the result of .*\)/\1/p'
all=$(tapc -l 'kernel.function("vfs_*").return' | grep -c '^kernel')
some=$(tapc -l 'kernel.function("vfs_*").fallible.return' | grep -c '^kernel')
((some > 20 && some < all)) || echo "$some of $all"
tapc -p2 -e 'probe kernel.function("vfs_*").fallible.return.maxactive(3) { println(returnval()) }' >/dev/null || echo "no maxactive"
