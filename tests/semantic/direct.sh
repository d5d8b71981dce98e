#!/bin/bash
# -DTAP_DIRECT: what a handler gets when a function calls it directly
# shellcheck disable=SC2086
[[ -n $KREL ]] || { echo "no kernel to look into"; exit 77; }
fail() { echo "$*"; cat out; exit 1; }

# found EXPECTED SCRIPT OPTION...: the kind of code that the rows have
found()
{
	local expected=$1 script=$2 kinds

	shift 2
	"$TAPC" $TAPC_ARGS -w -p3 "$@" -e "$script" >out 2>&1 || fail "$script: does not translate"
	kinds=$(sed -n 's/^TAP_DIRECT_\([A-Z]*\)(.*/\1/p' out | xargs)
	[[ $kinds = "$expected" ]] || fail "$script: '$kinds', expected '$expected'"
}

direct() { found "$1" "global n, m, a; probe $2" -DTAP_DIRECT; }
write='kernel.function("vfs_write").call'

direct PLAIN "$write { n++ }"
direct PLAIN "$write { }"
direct PLAIN "$write { if (\$count > 12345 && !(\$count & 7)) n += \$count * 2; else { x = -\$count; m -= x } }"
# memory, division, texts, calls, arrays, and globals with locks can fail, print or wait
direct REGS "$write { if (\$file->f_flags) n++ }"
direct REGS "$write { n += 100 / \$count }"
direct REGS "$write { println(\$count) }"
direct BARE "$write { println(ppfunc()) }"
direct BARE "$write { a[execname()]++ }"
direct BARE "$write { n = m; m++ }"
direct BARE "$write { while (n < 5) n++ }"
# all registers, or changes of them, need ftrace
direct '' "$write { print_regs() }"
found '' "probe $write { \$count = 1 }" -DTAP_DIRECT -g
found '' "function f() %{ %} probe $write { f() }" -DTAP_DIRECT -g
# the same for places that are no entries, and other families
direct '' 'timer.s(1) { n++ }'
# each row
direct 'PLAIN BARE' "$write { n++ } probe kernel.function(\"vfs_re*\").call { println(ppfunc()) }"
# returns: as the handlers read
gated() { found '' "global n, m, a; probe $2" -DTAP_DIRECT; [[ $(sed -n 's/^TAP_GATED_\([A-Z]*\)(.*/\1/p' out | xargs) = "$1" ]] || fail "$2"; }
returns='kernel.function("vfs_write").return'
gated PLAIN "$returns { n++ }"
gated PLAIN "$returns { if (\$return < 0) n++ }"
gated SIMPLE "$returns { println(ppfunc()) }"
gated LATE "$returns { if (\$return == @entry(\$count)) n++ }"
gated ENTRY "$returns { if (@entry(\$file->f_flags)) n++ }"
gated ENTRY "$returns { n += @entry(local_clock_ns()) }"
gated ENTRY "$returns { if (@entry(\$count) == @entry(tid())) n++ }"
# all registers; arguments on the stack, or "..."; no return
gated '' "$returns { print_backtrace() }"
gated '' "$returns { println(addr()) }"
gated '' 'kernel.function("snprintf").return { n++ }'
gated '' 'kernel.function("__x64_sys_exit_group").return { n++ }'
# entries are in the trampolines of returns, too
found 'REGS' "global n; probe $write { n += \$file->f_flags } probe $returns { n++ }" -DTAP_DIRECT
[[ $(grep -c '^TAP_GATED_PAIR_REGS(0, probe_0)$' out) = 1 ]] || fail pair
found 'PLAIN' "global n; probe $write { n++ } probe timer.s(1) { n++ }" -DTAP_DIRECT
! grep TAP_GATED_PAIR out || fail 'pair: no return'
# only on request
found '' "global n; probe $write { n++ }"
