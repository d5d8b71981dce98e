#!/bin/bash
# For a kernel that checks types at calls, each tracepoint's function has the type that the kernel's headers declare
# default: no
# sanitizers: no
[[ -n $KREL && $KREL != *arm64 ]] || { echo "no kernel to build for"; exit 77; }
fail() { echo "$*"; tail -n 20 log err; exit 1; }

# this kernel's files, with a configuration that says so
mkdir -p root/boot
for file in "$SYSROOT"/*; do
	[[ $file = */boot ]] || ln -s "$file" root/
done
for file in "$SYSROOT"/boot/*; do
	[[ $file = */config-* ]] || ln -s "$file" root/boot/
done
{ cat "$SYSROOT/boot/config-$KREL"; echo CONFIG_CFI_CLANG=y; } >"root/boot/config-$KREL"
args=${TAPC_ARGS/--sysroot $SYSROOT/--sysroot $PWD/root}
script='probe kernel.trace("*") { println($$name) }'
# shellcheck disable=SC2086
"$TAPC" $TAPC_ARGS -p3 -e "$script" 2>err | grep -q 'tap_tracepoint_hit' && fail "a function that is not needed"
# shellcheck disable=SC2086
"$TAPC" $args -p3 -e "$script" >all.c 2>err || fail "with CONFIG_CFI_CLANG"
# those that pass a struct by value have none
sed -n '/\.arguments = /{/\.typed = /!s/.*\.symbol = "\([^"]*\)".*/\1/p}' all.c | grep -vE '^(xen_mmu_|dax_)' &&
	fail "no function"
sed -n 's/.*\.symbol = "\([^"]*\)".*\.typed = \(typed_[0-9]*\).*/\1 \2/p' all.c >functions
(($(wc -l <functions) > 500)) || fail "only $(wc -l <functions) functions"

# The tracepoints of these headers, which define the types that the script declares.
headers()
{
	printf '#include <linux/%s.h>\n' module interrupt blkdev netdevice tcp
	for header in sched irq block timer kmem signal workqueue task net skb sock tcp writeback filemap power oom mmap; do
		echo "#include <trace/events/$header.h>"
	done
	echo 'MODULE_LICENSE("GPL");'
}
headers >check.c
printf '%s\n' 'obj-m := check.o' 'ccflags-y := -save-temps=obj' >Kbuild
# shellcheck disable=SC2086
build() { make -s -C "$SYSROOT/usr/src/linux-headers-$KREL" M="$PWD" $KERNEL_MAKE_ARGS CONFIG_DEBUG_INFO= modules >log 2>&1; }
build || fail "the headers"
grep -o 'check_trace_callback_type_[a-z0-9_]*' check.i | sed 's/check_trace_callback_type_//' | sort -u |
	join - <(sort functions) >declared
n=$(wc -l <declared)
((n > 100)) || fail "only $n tracepoints"
{
	headers
	sed -n 's/^#ifndef TAPC_/#define TAPC_/p' all.c | sort -u
	echo 'static void tap_tracepoint_hit(void *data, u64 *given) { }'
	awk 'NR == FNR { wanted[$2] = 1; next }
		/^static void typed_/ { name = $3; sub(/\(.*/, "", name); on = name in wanted }
		on { print }
		/^}/ { on = 0 }' declared all.c
	echo 'void check(void);'
	echo 'void check(void)'
	echo '{'
	sed 's/\(.*\) \(.*\)/\tcheck_trace_callback_type_\1(\2);/' declared
	echo '}'
} >check.c
build || fail "types differ"

# a different one is noticed
sed -i 's/\(check_trace_callback_type_sched_switch\)(.*)/\1(tap_tracepoint_hit)/' check.c
build && fail "any type is accepted"
grep -q tap_tracepoint_hit log
