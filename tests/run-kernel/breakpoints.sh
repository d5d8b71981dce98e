#!/bin/bash
# a wildcard that means hundreds of breakpoints in inlined functions is met with a warning, and .call, -l and few are not
# debuginfo: only
# host: for p in 'function("tcp_*")' 'function("tcp_*").call' 'function("vfs_*")'; do "$TAPC" $TAPC_ARGS -p2 -e "probe kernel.$p { }" 2>&1 >/dev/null; done >said
# host: "$TAPC" $TAPC_ARGS -l 'kernel.function("tcp_*")' 2>>said >places
set -e
[[ $(wc -l <places) -gt 300 ]]
sed -n 's/^<input>:1:7: warning: [0-9]*\([0-9][0-9][0-9]\) of/N of/p' said >short
sed -i 's/[0-9][0-9]*/N/g' short
diff -u - short <<'END'
N of N places are breakpoints, most of them in inlined copies of functions: registering them takes about N seconds; with '.call' only entries of functions are probed
END
[[ $(grep -c warning said) = 1 ]]
