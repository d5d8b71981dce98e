#!/bin/bash
# A suspend interrupts the system call that removes a module, and lasts longer than one waits for a module in use
type strace >/dev/null || { echo 'no strace'; exit 77; }
"$TAPRUN" -L ./t_interrupted.ko || exit
strace -f -o calls -e inject=delete_module:error=EINTR:delay_enter=2500000:when=1 "$TAPRUN" -d t_interrupted
status=$?
grep 'delete_module("t_interrupted"' calls
((status == 0)) && [[ $(grep -c 'delete_module("t_interrupted"' calls) = 2 ]]
