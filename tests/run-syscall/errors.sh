#!/bin/bash
# A system call or a value that does not exist: the message has advice; existing names
# kernels: all
# arm64: no, it is about the calls of x86-64 (message/arm64, run-target/arm64)
# host: bash "$SRC/tests/run-syscall/cases/errors.host"
# Translated on the host; nothing is loaded.
exit 0
