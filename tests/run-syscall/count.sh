#!/bin/bash
# System calls by name: each call and each return once, with arguments, number and result; 32-bit calls are distinguished
# kernels: all
# arm64: no, it is about the calls of x86-64 (message/arm64, run-target/arm64)
# host: "$TAPC" $TAPC_ARGS -p4 -m t_calls "$SRC/tests/run-syscall/cases/calls.stp" && gcc -static -nostdlib -O1 -o calls "$SRC/tests/run-syscall/cases/calls.c"
result=$("$TAPRUN" -c ./calls ./t_calls.ko)
echo "$result"
[[ $result = "$(cat "$SRC/tests/run-syscall/cases/calls.out")" ]]
