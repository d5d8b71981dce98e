#!/bin/bash
# A system call or a value that there is not: the message helps
# kernels: all
# host: "$TAPC" $TAPC_ARGS -p2 -e 'probe kernel.syscall("opnat") { } ' 2>err; "$TAPC" $TAPC_ARGS -p2 -e 'probe kernel.syscall("open") { println($return) }' 2>>err; grep -q "x86_64 has no system call 'opnat'" err && grep -q "did you mean 'openat'?" err && grep -q 'a system call has $arg1 to $arg6, $syscall, $compat, $name$' err || { cat err; exit 1; }
# Translated on the host; there is nothing to load.
exit 0
