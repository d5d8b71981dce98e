#!/bin/bash
# A function that a module does not have is an error when it is translated; a module that is never loaded costs nothing
cat none none2
grep -q "status 3" none && grep -q "status 3" none2 && grep -q no_such none && grep -q no_such none2 || exit
[[ $("$TAPRUN" ./t_absent.ko | tr '\n' ' ') = 'begin 0 ' ]]
