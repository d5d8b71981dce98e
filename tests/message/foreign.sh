#!/bin/bash
# A script of bpftrace or DTrace is answered with the equivalent probe, its filter as a statement, and the names that
# differ
ask() { "$TAPC" -p1 -e "$1" 2>&1; }
fail() { echo "$*"; exit 1; }
# clause = point: printed as is, and accepted by the parser
while IFS='|' read -r clause points; do
	ask "$clause" >out && fail "$clause was taken"
	[[ $(grep -c ' error: ' out) = 1 ]] || { cat out; fail "$clause: not one error"; }
	grep -qF "note: write probe $points { ... }" out || { cat out; fail "$clause: no $points"; }
	ask "probe $points { }" >out || { cat out; fail "$points"; }
done <<'ROWS'
kprobe:vfs_read { @[comm] = count(); }|kernel.function("vfs_read")
kprobe:vfs_read,kprobe:vfs_write { }|kernel.function("vfs_read"), kernel.function("vfs_write")
kprobe:ext4:ext4_sync_file { }|module("ext4").function("ext4_sync_file")
kretprobe:vfs_* { }|kernel.function("vfs_*").return
fentry:vmlinux:vfs_read { }|kernel.function("vfs_read")
fexit:vfs_read { }|kernel.function("vfs_read").return
tracepoint:sched:sched_switch { }|kernel.trace("sched:sched_switch")
tracepoint:syscalls:sys_enter_openat { }|syscall.openat
tracepoint:syscalls:sys_exit_read { }|syscall.read.return
rawtracepoint:sched_switch { }|kernel.trace("sched_switch")
uprobe:/bin/bash:readline { }|process("/bin/bash").function("readline")
uretprobe:/opt/my-app/bin:main { }|process("/opt/my-app/bin").function("main").return
usdt:/usr/lib/libpython3.so:python:gc__start { }|process("/usr/lib/libpython3.so").provider("python").mark("gc__start")
profile:hz:99 { }|timer.profile.freq.hz(99)
interval:s:1 { exit(); }|timer.s(1)
interval:ms:100{exit();}|timer.ms(100)
software:major-faults:1 { }|perf.sw.page_faults_maj.sample(1)
hardware:cache-misses:1000 { }|perf.hw.cache_misses.sample(1000)
watchpoint:0x1000:8:w { }|kernel.data(0x1000).length(8).write
BEGIN { printf("x\n"); }|begin
END { }|end
syscall::read:entry { }|syscall.read
syscall:::return { }|syscall.*.return
fbt::vfs_read:entry { }|kernel.function("vfs_read")
fbt:ext4:ext4_*:return { }|module("ext4").function("ext4_*").return
pid$target::malloc:entry { }|process.function("malloc")
pid123:libc.so.6:malloc:return { }|process.library("libc.so.6").function("malloc").return
profile-99 { }|timer.profile.freq.hz(99)
tick-1s { }|timer.s(1)
tick-10ms { }|timer.ms(10)
tick-100 { }|timer.hz(100)
dtrace:::BEGIN { }|begin
io:::start { }|ioblock.request
proc:::exec-success { }|kprocess.exec_complete
sched:::on-cpu { }|scheduler.cpu_on
ROWS
# the filter, and functions with other names; errors that follow are not reported
ask '#!/usr/bin/env bpftrace
kprobe:vfs_read /pid == 3/ { $x = arg0; @[comm, "uid"] = hist($x); printf("%d\n", x.pid); }
interval:s:1 { print(@); clear(@); exit(); }' >out
diff -u - out <<'ROWS' || exit 1
<input>:2:1: error: this looks like bpftrace, which is another language
    2 | kprobe:vfs_read /pid == 3/ { $x = arg0; @[comm, "uid"] = hist($x); printf("%d\n", x.pid); }
      | ^~~~~~
<input>:2:1: note: write probe kernel.function("vfs_read") { if (!(pid == 3)) next; ... }
<input>:2:1: note: these have other names here: pid is pid(); arg0 is the parameter's $name; @x is x, declared with 'global x'; comm is execname(); hist is x <<< value with print(@hist_log(x))
Pass 1: parse failed.  [man error::pass1]
ROWS
ask 'syscall::read:entry /execname == "cat"/ { self->t = timestamp; }' >out
grep -qF 'note: write probe syscall.read { if (!(execname == "cat")) next; ... }' out || { cat out; fail "a filter"; }
grep -qF 'execname is execname(); self is an array by thread, as in x[tid()]; timestamp is gettimeofday_ns()' out || { cat out; fail words; }
ask 'BEGIN { printf("%d %d", curtask->pid, sizeof(struct file)); }' >out
grep -qF 'curtask is @task(task_current()); sizeof is @sizeof("struct x")' out || { cat out; fail "words for types"; }
[[ -z $KREL ]] || "$TAPC" $TAPC_ARGS -p2 -e 'probe begin { println(@task(task_current())->pid, @sizeof("struct file")) }' >out 2>&1 ||
	{ cat out; fail "words for types, in a script"; }
# clauses without an equivalent are recognized, too
ask 'iter:task { }' >out
[[ $(grep -c 'this looks like bpftrace' out) = 1 && $(wc -l <out) = 4 ]] || { cat out; fail iter; }
# after 'probe', and a filter after a point of this language
ask 'probe kprobe:vfs_read { }' >out
grep -qF 'write probe kernel.function("vfs_read") { ... }' out || { cat out; fail "after probe"; }
ask 'probe kernel.function("vfs_read") /pid() == 1/ { }' >out
grep -qF 'a filter goes into the body: { if (!(pid() == 1)) next; ... }' out || { cat out; fail "a filter of a point"; }
# other mistakes are reported as before
ask 'prob begin { }' >out
grep -qF "did you mean 'probe'?" out || { cat out; fail prob; }
