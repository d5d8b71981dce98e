#!/bin/bash
# Cross-built for arm64: taprun alone, statically, and modules that tell the truth in an arm64 guest, of
# functions, returns, tracepoints, system calls, timers, stacks and a program
# timeout: 1200
. "$SRC/tests/lib/kernels.sh"
prefix=$(kernel_prefix arm64 2>/dev/null) || { echo "kernel arm64 could not be fetched"; exit 77; }
for program in qemu-system-aarch64 aarch64-linux-gnu-gcc; do
	type -P $program >/dev/null || { echo "no $program"; exit 77; }
done
krel=$(kernel_release arm64)
fail() { echo "$*"; cat out log 2>/dev/null | tail -n 60; exit 1; }

mkdir taprun-arm64 && (cd taprun-arm64 && "$SRC/configure" -q --host=aarch64-linux-gnu --disable-translator \
	--without-tapd --enable-static-taprun 2>&1 && make -s -j2) >log 2>&1 || fail "taprun could not be cross-built"

mkdir -p root/{bin,proc,sys,dev,t}
cat >work.c <<-'EOS'
	#include <unistd.h>
	__attribute__((noinline)) int twice(int n) { asm volatile(""); return 2 * n; }
	int main(void)
	{
		int sum = 0;

		for (int i = 1; i <= 10; i++)
			sum += twice(i);
		for (int i = 0; i < 300; i++)
			write(sum == 110, "sevens\n", 7);
		return 0;
	}
EOS
aarch64-linux-gnu-gcc -g -O2 -static -o root/t/work work.c || fail "no C compiler for arm64"
module()	# NAME SCRIPT
{
	(cd root/t && "$TAPC" -a arm64 --sysroot "$prefix" -r "$krel" -p4 -m "$1" -e "$2") >log 2>&1 || fail "$1"
}
module functions '
	global writes, bytes, returned, entered, by_name, late
	probe kernel.function("vfs_write") { if (pid() == target() && $count == 7) { writes++; bytes += $count } }
	probe kernel.function("vfs_write").return {
		if (pid() == target() && @entry($count) == 7) { entered++; if ($return == 7) returned++ } }
	probe kernel.function("ksys_wri*") { if (pid() == target() && ulong_arg(3) == 7) by_name++ }
	probe kernel.function("ksys_write").return { if (pid() == target() && returnval() == 7) late++ }
	probe end { println(writes, " ", bytes, " ", entered, " ", returned, " ", by_name, " ", late) }'
module events '
	global enter, leave, execs, ticks, names
	probe kernel.syscall("write") { if (pid() == target() && $arg3 == 7) enter++ }
	probe kernel.syscall("write").return { if (pid() == target() && $return == 7) leave++ }
	probe kernel.trace("sched_process_exec") { if (pid() == target()) { execs++; names = execname() } }
	probe timer.ms(20) { ticks++ }
	probe end { println(enter, " ", leave, " ", execs > 0, " ", names, " ", ticks > 0) }'
module stack '
	global seen, top
	probe kernel.function("vfs_write") {
		if (pid() != target() || $count != 7 || seen++) next
		top = sprint_backtrace()
	}
	probe end { println(top =~ "vfs_write.*ksys_write.*el0_svc" ? "chain" : top) }'
work=$PWD/root/t/work
module program "
	global calls, sum, results
	probe process(\"$work\").function(\"twice\") { calls++; sum += \$n }
	probe process(\"$work\").function(\"twice\").return { results += \$return }
	probe end { println(calls, \" \", sum, \" \", results) }"

cp "$prefix/bin/busybox" root/bin/ && cp taprun-arm64/taprun root/t/
mkdir -p "root/${work%/*}" && cp root/t/work "root/$work"
cat >root/init <<-EOS
	#!/bin/busybox sh
	/bin/busybox --install -s /bin
	export PATH=/bin
	mount -t proc proc /proc; mount -t sysfs sysfs /sys; mount -t devtmpfs devtmpfs /dev
	mount -t debugfs debugfs /sys/kernel/debug; mount -t tracefs tracefs /sys/kernel/tracing
	for module in functions events stack program; do
		/t/taprun -c $work /t/\$module.ko >/out 2>&1
		echo "\$module: status \$?"; grep -v sevens /out
	done >/dev/ttyAMA0 2>&1
	cat /proc/modules >/dev/ttyAMA0
	dmesg | grep -E '$(. "$SRC/tests/lib/guest.sh"; echo "$guest_splat")' >/dev/ttyAMA0
	echo end >/dev/ttyAMA0
	poweroff -f
EOS
chmod +x root/init
(cd root && find . | cpio -o -H newc -R 0:0 2>/dev/null) >initramfs
timeout 400 qemu-system-aarch64 -M virt -cpu cortex-a57 -accel tcg,thread=multi -m 1024 -smp 2 -display none \
	-nodefaults -net none -no-reboot -serial file:console -kernel "$prefix/boot/vmlinuz-$krel" \
	-initrd initramfs -append "console=ttyAMA0 panic=-1 oops=panic loglevel=3" </dev/null >log 2>&1
tr -d '\r' <console | grep -v '^\[' >out
diff - out <<-'EOS' || fail "an arm64 guest says otherwise"
	functions: status 0
	300 2100 300 300 300 300
	events: status 0
	300 300 1 work 1
	stack: status 0
	chain
	program: status 0
	10 55 110
	end
EOS
