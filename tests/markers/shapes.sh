#!/bin/bash
# Markers of programs: their names, semaphores, and sizes and signs of arguments, for each compiler, language, level of
# optimization and kind of program; their values as gdb reads them
# default: no
# sanitizers: no
fail() { echo "$*"; exit 1; }
dir=$SRC/tests/markers

# The markers of a file as "name[*]: sizes", each once; '*': it has a semaphore.
markers()
{
	LC_ALL=C readelf -nW "$1" | awk '
		/Name: / { name = $2 }
		/Semaphore:/ { if ($NF != "0x0000000000000000") counted[name]; star = $NF ~ /0x0*$/ ? "" : "*" }
		/Arguments:/ {
			sizes = ""
			for (i = 2; i <= NF; i++) if ($i ~ /@/) { sub(/@.*/, "", $i); sizes = sizes " " $i }
			print name star ":" sizes
		}' | LC_ALL=C sort -u
}

both='branch*:
branch*: -4
changing*: -4
constants*: -4 CHAR 8 8 8 -8
counted*: -4
counted*: -4 -4
empty*:
inlined*: -4
numbers*: -1 -1 1 -2 2 -4 4 -8 8 -8 8
once*: -4
statement*: -4 -8
twelve*: -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4
more*: 4f 8f 16f -16 16 1 -4 4 -8 -2
addresses*: 8 8 8 8 8 8 8 8'
cxx='generic*: -1 -1
generic*: 8f 8f
generic*: 8 8
lambda*: -4 -4
constructor*: 8
cxx*: 1 8 1 -4'

# expect LANGUAGE MACHINE: C promotes bit-fields and has no type for characters, where C++ does; arm64's char has no sign
expect()
{
	local expected=$both

	[[ $1 = c ]] && expected=${expected/CHAR/-4}$'\nfields*: BITS' || expected+=$'\n'$cxx$'\nfields*: 4 -4 -8 -4 8'
	expected=${expected/CHAR/-1}
	if [[ $2 = arm64 ]]; then
		expected=$(sed '/^numbers/s/: -1/: 1/; /^generic.*-1/s/-1/1/g; /^cxx/s/-4/4/; /^constants/s/ -1/ 1/' <<<"$expected")
	fi
	LC_ALL=C sort -u <<<"$expected"
}

# shape NAME LANGUAGE MACHINE COMPILER-COMMAND...: builds and links both files, and compares
shape()
{
	local name=$1 language=$2 machine=$3 bits="-4 -4 -8 -4 8" mode=c

	shift 3
	[[ $language = c ]] || mode=c++
	# Clang gives bit-fields the declared type
	[[ $* != *clang* ]] || bits="4 -4 -8 -4 8"
	"$@" -I"$SRC/sdt" -D_SDT_HAS_SEMAPHORES -Wall -Wextra -Werror -o "$name" -x $mode "$dir/shapes.c" "$dir/shapes-more.c" \
		2>"$name.err" || { cat "$name.err"; fail "$name: not built"; }
	expect "$language" "$machine" | sed "s/BITS/$bits/" >"$name.expected"
	! LC_ALL=C readelf -nW "$name" | grep 'Arguments:.*:lo12:' || fail "$name: an operand that only the assembler can read"
	markers "$name" | diff -u "$name.expected" - >"$name.diff" || { cat "$name.diff"; fail "$name: other markers"; }
}

# Two compilers at a time.
while read -r name language machine command; do
	[[ -n $name ]] || continue
	if ! type -P "${command%% *}" >/dev/null; then
		echo "$name: no ${command%% *}"
		continue
	fi
	while (($(jobs -rp | wc -l) >= 2)); do
		wait -n || exit 1
	done
	# shellcheck disable=SC2086
	shape "$name" "$language" "$machine" $command &
done <<'SHAPES'
plain c amd64 gcc -std=c11 -O0
quick c amd64 gcc -std=gnu17 -O2 -pedantic -Wno-pedantic -fno-pie -no-pie
quicker c amd64 gcc -O3 -DTAPC_SDT_NOP=1 -fno-plt -ffunction-sections -Wl,--gc-sections
lto c amd64 gcc -O2 -flto
library c amd64 gcc -O1 -fPIC -shared
old c amd64 gcc -std=gnu89 -O2
clang c amd64 clang -O0
clang-quick c amd64 clang -O2 -fPIE -pie
cxx c++ amd64 g++ -std=c++11 -O0
cxx-quick c++ amd64 g++ -std=c++20 -O2 -DTAPC_SDT_NOP=1
cxx-clang c++ amd64 clang++ -std=c++17 -O1
arm64 c arm64 aarch64-linux-gnu-gcc -O0
arm64-quick c arm64 aarch64-linux-gnu-gcc -O2
SHAPES
while (($(jobs -p | wc -l) > 0)); do
	wait -n || exit 1
done
[[ -x quick ]] || fail "no compiler"

# the instructions at a marker: one nop, and a long one
instructions() { objdump -d --no-show-raw-insn "$1" | awk '/nop$|nopw +0x0\(%rax,%rax,1\)$/ { printf "%s ", $(NF > 3 ? 3 : 2) } END { print "" }'; }
for nop in 1 11; do
	printf '#include <sys/sdt.h>\nvoid f(void) { STAP_PROBE(a, b); }\n' |
		gcc -O2 -I"$SRC/sdt" -DTAPC_SDT_NOP=$nop -c -o nop$nop.o -x c - || fail nop
done
[[ "$(instructions nop1.o)|$(instructions nop11.o)" = 'nop |nop nopw ' ]] || fail "other nops"

# in assembler; without semaphores; an argument that is neither number nor address
gcc -I"$SRC/sdt" -c -o asm.o "$dir/shapes-asm.S" && LC_ALL=C readelf -n asm.o | grep -q 'Arguments: 8@%rdi -4@%esi' || fail assembler
printf '#include <sys/sdt.h>\nstruct s { int a, b; } s;\nvoid f(void) { STAP_PROBE1(a, b, s); }\n' >record.c
! gcc -I"$SRC/sdt" -c record.c 2>err || fail "a struct as an argument"
! g++ -I"$SRC/sdt" -x c++ -c record.c 2>err || fail "a struct as an argument in C++"
grep -q an_argument_is_a_number_or_a_pointer err || { cat err; fail "no reason"; }

# values, as gdb computes them; it does not read arguments with an 'f'
./quick || fail "an argument was not evaluated once"
type -P gdb >/dev/null || exit 0
cat >commands <<'GDB'
set pagination off
set breakpoint pending off
break -probe-stap shapes:numbers
break -probe-stap shapes:fields
run
printf "%d %d %d %d %d %d %u %ld %lu %ld %lu\n", $_probe_arg0, $_probe_arg1, $_probe_arg2, $_probe_arg3, $_probe_arg4, $_probe_arg5, $_probe_arg6, $_probe_arg7, $_probe_arg8, $_probe_arg9, $_probe_arg10
continue
printf "%d %d %ld %d %ld\n", $_probe_arg0, $_probe_arg1, $_probe_arg2, $_probe_arg3, $_probe_arg4
kill
GDB
for program in plain quick clang-quick; do
	[[ -x $program ]] || continue
	gdb -batch -nx -x commands "./$program" >gdb.out 2>&1
	grep -qx '99 -1 255 -300 60000 -100000 4000000000 -1099511627776 9223372036854775808 -5 18446744073709551615' gdb.out &&
		grep -qx '5 -3 -123456789012 -9 10' gdb.out || {
		cat gdb.out
		fail "$program: other values"
	}
done
