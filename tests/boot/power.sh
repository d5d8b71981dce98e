#!/bin/bash
# The machine is suspended to memory, rebooted at once, and replaced by another kernel (kexec), while sessions of all families run under load: probes and clocks continue after it wakes up, new sessions start, the kernel has no complaint
# default: no
# timeout: 900
# shellcheck disable=SC2086
fail() { echo "$*"; tail -n 150 console log err 2>/dev/null; exit 1; }
. "$SRC/tests/lib/kernel-log.sh"
cat >program.c <<'END'
int main(int argc, char **argv) { return argc > 5; }
END
gcc -static -g -o program program.c || fail "program.c"
cat >kexec.c <<'END'
/* kexec KERNEL INITRAMFS COMMAND-LINE: into that kernel, without shutting anything down */
#include <fcntl.h>
#include <linux/reboot.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int kernel = open(argv[1], O_RDONLY), initramfs = open(argv[2], O_RDONLY);

	if (syscall(SYS_kexec_file_load, kernel, initramfs, strlen(argv[3]) + 1, argv[3], 0L))
		perror("kexec_file_load");
	else if (syscall(SYS_reboot, LINUX_REBOOT_MAGIC1, LINUX_REBOOT_MAGIC2, LINUX_REBOOT_CMD_KEXEC, NULL))
		perror("reboot");
	return argc < 4;
}
END
gcc -static -o kexec kexec.c || fail "kexec.c"
cat >families.stp <<END
global calls, hooked, switches, nested, profiles, events, writes, programs, works
function families()
{
	return sprintf("%d%d%d%d%d%d", @count(calls) > 0, @count(hooked) > 0, @count(nested) > 0, @count(switches) > 0,
		@count(programs) > 0, @count(works) > 0) .
		sprintf(" %d%d%d%d %d", @count(profiles[0]) > 0, @count(profiles[1]) > 0, @count(events[0]) > 0,
			@count(events[1]) > 0, @count(writes) > 0)
}
probe begin { println("begin") }
probe kernel.function("vfs_read") { calls <<< 1 }
probe kernel.function("vfs_write").return { hooked <<< 1 }
probe kernel.function("ksys_read").return { nested <<< @entry(ktime_get_ns()) }
probe kernel.trace("sched_switch") { switches <<< 1 }
probe timer.ms(20) { works <<< 1 }
probe timer.profile { profiles[cpu()] <<< 1 }
probe perf.sw.cpu_clock.sample(10000000) { events[cpu()] <<< 1 }
probe kernel.data("jiffies_64").write { writes <<< 1 }
probe process("$PWD/program").function("main") { programs <<< 1; printf("program %d\n", gettimeofday_s()) }
probe timer.ms(1500) {
	println("families ", families())
	delete calls delete hooked delete nested delete switches delete programs delete works delete profiles delete events delete writes
}
probe end { println("end") }
END
"$TAPC" $TAPC_ARGS --no-global-var-display -p4 -m t_families families.stp >log 2>&1 || fail "families"
# QEMU reports one access to one of two sessions only
sed 's/jiffies_64/total_forks/' families.stp >direct.stp
"$TAPC" $TAPC_ARGS --no-global-var-display -p4 -m t_direct -DTAP_DIRECT direct.stp >log 2>&1 || fail "families, direct"
"$TAPC" $TAPC_ARGS -p4 -m t_new -e 'probe begin { println("new"); exit() }' >log 2>&1 || fail "new"

# A kernel that has woken up no longer has the files of 9p: all that is needed is below /run/bare, and the console tells.
cat >guest <<'OUTER'
set -e
busybox=/run/lab/busybox bare=/run/bare
for file in $busybox "$PWD"/{program,kexec,second,kernel,t_families.ko,t_direct.ko,t_new.ko,steps} "$TAPRUN" $(ldd "$TAPRUN" | grep -o '/[^ ]*'); do
	mkdir -p "$bare/$(dirname "$file")"
	cp -L "$file" "$bare/$file"
done
mkdir -p $bare/{bin,proc,sys,dev,tmp}
$busybox chroot $bare $busybox --install -s /bin
for dir in proc sys dev; do
	mount --rbind /$dir $bare/$dir
done
exec $busybox chroot $bare /bin/sh "$PWD/steps" "$PWD" "$TAPRUN" "$1" </dev/null >/dev/console 2>&1
OUTER
cat >steps <<'INNER'
dir=$1 taprun=$2
cd /tmp
until_printed()	# FILE PATTERN
{
	for try in $(seq 300); do
		! grep -q "$2" $1 || return 0
		usleep 200000
	done
	echo "did not print $2 but: $(tail -n 3 $1)"
}
$taprun $dir/t_families.ko >families 2>families.err & families=$!
$taprun $dir/t_direct.ko >direct 2>direct.err & direct=$!
until_printed families begin
until_printed direct begin
for cpu in 0 1; do
	(while :; do $dir/program; cat /proc/uptime >/dev/null; usleep 50000; done) &
	(while :; do taskset $((cpu + 1)) dd if=/dev/zero of=/dev/null bs=1 count=3000 2>/dev/null; done) &
done
echo; echo "step: running"
if [ $3 = suspend ]; then
	until_printed families 'families.*111111 1111 1'
	until_printed direct 'families.*111111 1111 1'
	echo 0 >/sys/class/rtc/rtc0/wakealarm
	echo +5 >/sys/class/rtc/rtc0/wakealarm
	echo mem >/sys/power/state
	echo; echo "step: awake, status $?"
	: >families		# from now on
	: >direct
	until_printed families 'families.*111111 1111 1'
	until_printed direct 'families.*111111 1111 1'
	before=$(date +%s)
	: >direct
	until_printed direct program
	seconds=$(sed -n '/program/ { s/.* //p; q }' direct)
	[ $seconds -ge $before ] && [ $seconds -le $(date +%s) ] || echo "clock: $seconds, not $before to $(date +%s)"
	echo "step: families and clocks continue"
	$taprun $dir/t_new.ko
	kill -INT $families
	wait $families
	echo "step: ended, status $?: $(tail -n 1 families)"
	cat families.err direct.err
	! grep -q t_families /proc/modules || echo "step: left loaded"
fi
dmesg -c
case $3 in
kexec) $dir/kexec $dir/kernel $dir/second 'console=ttyS0 rdinit=/init panic=-1 oops=panic loglevel=5' ;;
*) reboot -f ;;
esac
INNER
mkdir -p root/bin
cp "$(type -P busybox)" root/bin/
cat >root/init <<'END'
#!/bin/busybox sh
echo "step: second kernel"
/bin/busybox poweroff -f
END
chmod +x root/init
(cd root && find . | cpio -o -H newc -R 0:0 2>/dev/null) >second
cp -L "$SYSROOT/boot/vmlinuz-$KREL" kernel || fail "no kernel"

# The guest never answers: QEMU ends when it goes down.
boot()
{
	$VM --append panic_on_warn=1 --timeout 200 --console console -- env TAPRUN="$TAPRUN" bash ./guest $1 >log 2>&1
	tr -d '\r' <console | kernel_log_judged "$SYSROOT/lib/modules/$KREL/modules.dep" >judged
	! grep -E "$kernel_splat" judged || fail "$1: a complaint of the kernel"
	grep -o '^step: .*\|^did not print.*\|^clock: .*\|^WARN.*\|^ERR.*\|^new$\|reboot: Restarting system$' judged >steps.$1
}
boot suspend
cmp - steps.suspend <<'END' || fail "suspend: $(<steps.suspend)"
step: running
step: awake, status 0
step: families and clocks continue
new
step: ended, status 0: end
reboot: Restarting system
END
boot reboot
cmp - steps.reboot <<'END' || fail "reboot: $(<steps.reboot)"
step: running
reboot: Restarting system
END
boot kexec
cmp - steps.kexec <<'END' || fail "kexec: $(<steps.kexec)"
step: running
step: second kernel
END
