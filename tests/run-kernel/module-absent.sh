#!/bin/bash
# A function that a module does not have is an error when it is translated; a module that is never loaded costs nothing
# host: "$TAPC" $TAPC_ARGS -p4 -m t_absent -e 'global n probe module("dummy").function("dummy_setup") { n++ } probe begin { println("begin") } probe timer.ms(50) { exit() } probe end { println(n) }'
# host: "$TAPC" $TAPC_ARGS -p2 -e 'probe module("dummy").function("no_such") { }' >none 2>&1; echo "status $?" >>none
# host: "$TAPC" $TAPC_ARGS -p2 -e 'probe module("no_such").function("x") { }' >none2 2>&1; echo "status $?" >>none2
cat none none2
grep -q "status 3" none && grep -q "status 3" none2 && grep -q no_such none && grep -q no_such none2 || exit
[[ $("$TAPRUN" ./t_absent.ko | tr '\n' ' ') = 'begin 0 ' ]]
