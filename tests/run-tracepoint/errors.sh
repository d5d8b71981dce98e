#!/bin/bash
# Tracepoints and arguments that do not exist: the message lists the existing ones
# kernels: all
# host: "$TAPC" $TAPC_ARGS -p2 -e 'probe kernel.trace("sched_swich") { } probe kernel.trace("irq:sched_switch") { } probe kernel.trace("nix:*") { }' 2>err; grep -q "note: the kernel has no tracepoint 'sched_swich'" err && grep -q "note: 'sched_switch' belongs to system 'sched'" err && grep -q "note: no tracepoint of the kernel matches 'nix:\*'" err && "$TAPC" $TAPC_ARGS -p2 -e 'probe kernel.trace("sched_switch") { println($nxt) }' 2>>err; grep -q "note: it has: .*\$prev, \$next.*; did you mean '\$next'" err && [[ $(grep -c ': error:' err) = 4 ]] || { cat err; exit 1; }
# Translated on the host; nothing is loaded.
exit 0
