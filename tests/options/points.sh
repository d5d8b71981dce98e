#!/bin/bash
# Listing probe points: -L with variables and types, --source with lines and variables, --dump-...; with debug
# information and without
[[ -n $KREL ]] || { echo "no kernel to build for"; exit 77; }
# shellcheck disable=SC2086
set -e
tapc() { "$TAPC" $TAPC_ARGS "$@" >out 2>err; }
fail() { echo "$*"; head -n 20 out err; exit 1; }
has() { grep -qxF -- "$1" out || fail "lacks: $1"; }

"$SRC/tests/run-place/make-target"
module=module\(\"$PWD/place_target.ko\"\)
line() { grep -n -- "$1" place_target.c | cut -d: -f1 | head -n 1; }

tapc -L "$module.function(\"place_*\")" || fail -L
sed -i 's|@[^:]*/place_target.c|@place_target.c|' out
has "module(\"place_target\").function(\"place_first@place_target.c:$(line 'int place_first(')\") \$pair:struct place_pair* \$value:int \$result:int"
grep -q "^module(\"place_target\").function(\"place_inlined@place_target.c:$(line 'int place_inlined(')\") .*\$value:int" out || fail "-L inlined"
[[ $(wc -l <out) = 4 && $(LC_ALL=C sort -u out) = "$(<out)" ]] || fail "-L: sorted, each once"
tapc -L "$module.function(\"place_second\").return" || fail "-L return"
grep -q '.return $return:int $pair:struct place_pair\* $value:int' out || fail "-L return"

tapc --source "$module.function(\"place_leaf\")" || fail --source
sed -i 's|@[^:]*/place_target.c|@place_target.c|' out
has "place_leaf@place_target.c:$(line 'int place_leaf(')"
n=$(line LEAF_SUM)
has "$(printf '%5u * %s' "$n" "$(sed -n "${n}p" place_target.c)")"
grep -q "^ *$(line 'int place_leaf(') [ *] static noinline int place_leaf" out || fail "its first line"
grep -qx ' *23  ' out || fail "a line without code"
grep -q '^        .*$value' out || fail "variables of lines"
! tapc --source 'timer.s(1)' || fail "a timer's source"
grep -q "'timer.s(1)' is not in a function" err || fail "a timer's source"
! tapc --source 'kernel.function("vfs_read")' || fail "without debug information"
grep -q 'only DWARF has source lines' err || fail "without debug information"
mv place_target.ko moved.ko
elsewhere=/elsewher$(printf 'e%.0s' $(seq $((${#BUILD} + ${#KREL} + 11))))
sed "s|$BUILD/tests/place-target-$KREL|$elsewhere|g" moved.ko >place_target.ko
tapc --source "$module.function(\"place_leaf\")" || fail "--source without the source"
grep -q 'is neither here nor in' err || fail "--source without the source"
grep -qx " *$(line LEAF_SUM) \*" out || fail "--source without the source"
mkdir -p root"$elsewhere"
ln -s "$(sed -E -n 's/.*--sysroot ([^ ]+).*/\1/p' <<<"$TAPC_ARGS")"/* root/
head -n 20 place_target.c >root"$elsewhere"/place_target.c
tapc --sysroot root --source "$module.function(\"place_leaf\")" || fail "--source where the source ends too soon"
grep -qx " *$(line LEAF_SUM) \*" out || fail "--source where the source ends too soon"

tapc --dump-probe-types || fail types
has 'kernel.function(string)'
has 'kernel.statement(string).nearest'
has 'timer.ms(number)'
tapc --dump-probe-aliases || fail aliases
has 'oneshot = begin'
tapc --dump-functions || fail functions
has 'pid:long ()'
has 'cpu:long ()'

tapc -p2 -v -e 'probe kernel.function("*") { }' || fail "skipped"
grep -q '^wildcards left out [1-9][0-9]* places that cannot be probed' err || fail "functions that a wildcard leaves out are counted"
for point in 'function("a@")' 'function("")' 'statement("a@b.c:x")' 'statement("a@b.c").nearest' 'statement("a@b.c:5-3")' 'function("vfs_read").return.maxactive(65536)'; do
	! tapc -p2 -e "probe kernel.$point { }" || fail "$point"
	cat err
done >all
for text in 'expected "function", "function@file" or "function@file:line"' "'5-3' is not a list of lines" 'needs one line' 'expected maxactive from 0'; do
	grep -q -- "$text" all || { cat all; fail "$text"; }
done
! tapc -p2 -e 'probe kernel.statement(4096).absolute { }' || fail absolute
grep -q 'absolute addresses need guru mode' err || fail absolute
# similar names
! tapc -p2 -e 'probe kernel.trace("sched_swich") { }' || fail "a tracepoint"
grep -q "did you mean 'sched_switch'" err || fail "a tracepoint"
! tapc -p2 -e 'probe begin { println(@cast(1, "task_strct")->pid, @cast(1, "struct fil")->f_pos) }' || fail "types"
grep -q "did you mean 'task_struct'" err && grep -q "did you mean 'file'" err && ! grep -q 'no enum' err || fail "types"
! tapc -p2 -e 'probe syscall.openat { println(filenam) }' || fail "a variable of the place"
[[ $(grep -c ': error:' err) = 1 && $(grep -c ': warning:' err) = 0 ]] && grep -q "did you mean 'filename'" err ||
	fail "a variable of the place"
! tapc -p2 -e 'probe module("/none/x.ko").function("*") { }' || fail "a path"
grep -q "there is no module file '/none/x.ko'" err || fail "a path"
! tapc -p2 -e 'probe kernel.function("kernel_clone@fork.c") { }' || fail "a file"
grep -q 'only DWARF has the files of functions' err || fail "a file"
