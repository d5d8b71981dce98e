#!/bin/bash
# A system call or a value that there is not: the message helps; names that there are
# kernels: all
# arm64: no, it is about the calls of x86-64 (message/arm64, run-target/arm64)
# host: bash "$SRC/tests/run-syscall/cases/errors.host"
# Translated on the host; there is nothing to load.
exit 0
