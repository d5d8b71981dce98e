#!/bin/bash
# Wrong target variables: each message at its position, with advice
# host: "$SRC"/tests/run-target/cases/check
# host: "$TAPC" $TAPC_ARGS -W --disable-cache -p4 -e 'probe kernel.function("vfs_read").call { println(symfileline(addr())) }' 2>&1 | grep "error: the source lines of the kernel are not known: line tables need the cache, which is disabled"
# Translated on the host; nothing is loaded.
exit 0
