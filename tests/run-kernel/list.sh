#!/bin/bash
# kernels: all
# -l names every function of a pattern that ftrace can hook, and only functions
# host: "$TAPC" $TAPC_ARGS -l 'kernel.function("vfs_*")' >list
sed -n 's/^kernel.function("\(.*\)").*/\1/p' list | sort -u >ours
grep '^vfs_[a-z0-9_]*$' /sys/kernel/tracing/available_filter_functions | sort -u >theirs
[[ $(wc -l <theirs) -gt 20 ]]
comm -13 ours theirs >missing
[[ ! -s missing ]] || { echo missing: $(<missing); exit 1; }
! grep -vE '^vfs_' ours
