#!/bin/bash
# A pattern in a point expands to all names that match and take an argument if one is given; the list shows the expanded
# names.
[[ -n $KREL ]] || { echo "no kernel to build for"; exit 77; }
# shellcheck disable=SC2086
list() { echo "$1:"; "$TAPC" $TAPC_ARGS -l "$1" 2>&1 | sed 's/@[^"]*"/"/; s/^/  /'; }
all() { "$TAPC" $TAPC_ARGS -l "$1" 2>&1; }

list 'kernel.f*("vfs_write")'
list 'kernel.function("vfs_read").*' | grep -v callee
list 'kernel.function("vfs_read").return.m*(10)'
list 'kerne*.funct*("vfs_read").*' | grep -v callee
list 'k*.function("vfs_read")'
list 'kernel.tr*("sched_switch")'
list 'module("dumm?").f*("dummy_setup")'
list 'netfilter.h*("NF_INET_LOCAL_IN").pf("NFPROTO_IPV4")'
list 'netfilter.*("NFPROTO_ARP").*("NF_ARP_IN")'
list 'timer.*(300000)'
list 'timer.*'
list 'beg*'
list 'be**n(5)'
list 'sys**openat'
list 'tp_sys**openat.return'
list 'process("/bin/s[h]").*' | grep -v plt
list 'process("/bin/[s]h").sysc**'
list 'process("/bin/s[h]").thread.*'
# Through aliases, to their suffixes, and everything.
list 'v**read'
list 'vfs.read.*'
echo "ends: $(($(all '**.return' | wc -l) > 500)), others: $(($(all '**.return' | grep -vc '\.return$') < 20))"
echo "all: $(($(all '**' | wc -l) > 1000)), patterns left in names: $(all '**' | grep -c '\*')"
"$TAPC" $TAPC_ARGS -p2 -e 'probe netfilter.** { } probe process("/bin/sh").mark*("*") ? { }' >/dev/null 2>&1
echo "status $?"
"$TAPC" $TAPC_ARGS -p2 -e 'probe kernel.*("no_such_function") { }' 2>&1 | grep error:
