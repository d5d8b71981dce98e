#!/bin/bash
# Files that cannot be created: the message has the reason
# kernels: all
# host: "$TAPC" $TAPC_ARGS -p2 -e 'probe procfs("../x").read { } probe procfs("a//b").write { } probe procfs.umask(01000).read { } probe procfs.read.maxsize(0) { } probe procfs("x").write { println($text) }  ' 2>err; grep -q "found '../x'" err && grep -q "expected a umask from 0 to 0777" err && grep -q "expected maxsize from 1 to 1048576, found 0" err && [[ $(grep -c ': error:' err) -ge 4 ]] || { cat err; exit 1; }
# Translated on the host; nothing is loaded.
exit 0
