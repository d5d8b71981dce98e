#!/bin/bash
# -DTAP_DIRECT: what a handler gets when a function calls it directly
# shellcheck disable=SC2086
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
direct '' 'kernel.function("vfs_write").return { n++ }'
direct '' 'timer.s(1) { n++ }'
# each row
direct 'PLAIN BARE' "$write { n++ } probe kernel.function(\"vfs_re*\").call { println(ppfunc()) }"
# only on request
found '' "global n; probe $write { n++ }"
