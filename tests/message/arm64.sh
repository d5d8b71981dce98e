#!/bin/bash
# Features that another architecture lacks are reported, with alternatives
# default: no
. "$SRC/tests/lib/kernels.sh"
prefix=$(kernel_prefix arm64 2>/dev/null) || { echo "kernel arm64 could not be fetched"; exit 77; }
krel=$(kernel_release arm64)
failed=0
says()	# SCRIPT TEXT...
{
	local script=$1 text

	shift
	"$TAPC" -a arm64 --sysroot "$prefix" -r "$krel" -p2 -e "$script" >out 2>err
	for text; do
		grep -qF "$text" err || { echo "for $script no '$text':"; cat out err; failed=1; }
	done
}
says 'probe kernel.data("jiffies").write { }' 'arm64 kernels step over a watched access only for perf and debuggers'
says 'probe process("libc.so.6").function("malloc") { }' "no library 'libc.so.6' in the library directories" \
	'in the directory of --sysroot'
says 'probe process("/bin/bash").function("main") { }' "there is no file '/bin/bash'" 'in the directory of --sysroot'
says 'probe syscall.rmdir { }' "aarch64 has no system call 'rmdir'" "programs call 'unlinkat' in its place"
says 'probe kernel.function("__x64_sys_read") { }' "did you mean '__arm64_sys_read'?"
exit $failed
