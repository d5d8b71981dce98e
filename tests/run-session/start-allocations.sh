#!/bin/bash
# If any allocation of a start fails, in memory that is short or in a copy, nothing stays in the kernel; kmemleak looks for it afterwards
# kernels: debug 6.12-debug
# timeout: 1800
# host: gcc -O1 -pthread -D_GNU_SOURCE= -I"$SRC/runtime" -I"$SRC/runtime/abi" -I"$SRC/runtime/staging" -o failing "$SRC"/tests/adversary/{failing,party,session}.c && "$TAPC" $TAPC_ARGS -p4 -m t_few -e 'probe kernel.function("vfs_read"), kprobe.function("vfs_write").return { } probe end { println("end") }'
. "$SRC/tests/lib/fault-injection.sh"
. "$SRC/tests/lib/kernel-log.sh"
inject_allocation_faults || exit 77
./failing start 5000 ./t_few.ko
status=$?
# the kernel shows the stack of an allocation by vmalloc() that was made to fail
dmesg -c | kernel_log_judged "/lib/modules/$(uname -r)/modules.dep" 'vmalloc error' | grep -E "$kernel_splat" && status=1
exit $status
