#!/bin/bash
# The runtime compiles for riscv64, and a script becomes a module of that machine. Nothing boots it here.
# sanitizers: no
# timeout: 900
. "$SRC/tests/lib/kernels.sh"
kernel_fetched riscv64 || { echo "kernel riscv64 is not fetched: tests/vm --fetch riscv64"; exit 77; }
type -P riscv64-linux-gnu-gcc >/dev/null || { echo "needs gcc-riscv64-linux-gnu"; exit 77; }

cat >script.stp <<-'STP'
	global t, n
	probe kprobe.function("vfs_read") { t[tid()] = local_clock_ns() }
	probe kprobe.function("vfs_read").return { if (tid() in t) n <<< local_clock_ns() - t[tid()]; delete t[tid()] }
	probe syscall.openat { printf("%s %s %d\n", execname(), argstr, register("a0")); print_backtrace() }
	probe end { print(@hist_log(n)) }
STP
"$TAPC" -a riscv64 -r "$(kernel_release riscv64)" --sysroot "$(kernel_prefix riscv64)" \
	-B "$(kernel_make_args riscv64)" -p4 -m t_riscv script.stp || exit
readelf -h t_riscv.ko | grep -q 'Machine: *RISC-V' || { echo "t_riscv.ko is for another machine"; exit 1; }
# the numbers of system calls are those of the kernel's headers
echo '#include <asm/unistd.h>' | riscv64-linux-gnu-gcc -E -dM -nostdinc \
	-I "$(echo "$(kernel_prefix riscv64)"/usr/src/*-common/arch/riscv/include/uapi)" \
	-I "$(echo "$(kernel_prefix riscv64)"/usr/src/*-common/include/uapi)" \
	-I "$(echo "$(kernel_prefix riscv64)"/usr/src/*-riscv64/arch/riscv/include/generated/uapi)" - >defines
sed -nE 's/^#define __NR(3264)?_([a-z0-9_]+) ([0-9]+)$/\2 \3/p' defines | grep -v '^arch_specific_syscall\|^syscalls ' | sort >kernel
sed -nE 's/^NUMBER\((.*), (.*)\)$/\1 \2/p' "$SRC/runtime/abi/syscalls_riscv64.def" | sort >ours
[[ $(wc -l <kernel) -gt 300 ]] || { echo "no numbers in the kernel's headers"; exit 1; }
# ours has those of newer kernels, too
comm -23 kernel ours >missing
[[ ! -s missing ]] || { echo "missing or different:"; cat missing; exit 1; }
