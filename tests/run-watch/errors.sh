#!/bin/bash
# What cannot be watched: the message says why
# kernels: all
# host: "$TAPC" $TAPC_ARGS -p2 -e 'probe kernel.data("panic_timeoutt").write { } probe kernel.data(4097).length(8).rw { } probe kernel.data("cpu_number").rw {}' 2>err; grep -q "no variable is named 'panic_timeoutt'" err && grep -q "what can be watched is 1, 2, 4 or 8 bytes at a multiple of that, not 8 at 0x1001" err && [[ $(grep -c ': error:' err) -ge 2 ]] || { cat err; exit 1; }
# Translated on the host; there is nothing to load.
exit 0
