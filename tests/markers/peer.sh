#!/bin/bash
# The same markers with SystemTap's sys/sdt.h and with ours: names, providers, sizes, semaphores
# sanitizers: no
fail() { echo "$*"; exit 1; }
peer=
for include in /usr/include /usr/include/*-linux-gnu; do
	! grep -qs 'STAP_PROBEV' "$include/sys/sdt.h" || peer=$include
done
[[ -n $peer ]] || { echo "no sys/sdt.h of SystemTap (Debian: systemtap-sdt-dev)"; exit 77; }

# What both can read: SystemTap's has no bit-fields and arrays of unknown size; in C++ its enumerators have no sign, and
# it has no STAP_PROBE_ASM.
cat >program.c <<'C'
#include <sys/sdt.h>
enum level { LOW = -1, HIGH };
unsigned short p_a_semaphore, p_b_semaphore, p_c_semaphore, p_d_semaphore, p_e_semaphore, p_f_semaphore;
char letters[10];
void f(char c, unsigned char uc, short s, unsigned short us, int i, unsigned int u, long l, unsigned long ul, float f, double d,
       enum level level, char *p, const void *v, volatile int *changing)
{
	DTRACE_PROBE(p, a);
	DTRACE_PROBE12(p, b, c, uc, s, us, i, u, l, ul, f, d, p, v);
	STAP_PROBE3(p, c, *changing, letters, "text");
	STAP_PROBEV(p, d, 1, 2u, 3l, 4ul, 'a');
#ifndef __cplusplus
	STAP_PROBE1(p, e, level);
	__asm__ __volatile__ (STAP_PROBE_ASM(p, f, STAP_PROBE_ASM_TEMPLATE(3)) : : STAP_PROBE_ASM_OPERANDS(3, i, l, uc));
#endif
}
C
printf '#include <sys/sdt.h>\nSTAP_PROBE2(p, a, 8@%%rdi, -4@8(%%rsp))\nDTRACE_PROBE(p, none)\n.section .note.GNU-stack, "", %%progbits\n' >asm.S

notes() { LC_ALL=C readelf -nW "$1" | sed -n 's/@[^ ]*//g; s/.*\(Provider: \)/\1/p; /Name:\|Arguments:/p'; }

compared=0
compare()
{
	local file=$1

	shift
	"$@" -I"$peer" -c -o peer.o "$file" 2>err || { cat err; fail "SystemTap's: $*"; }
	"$@" -I"$SRC/sdt" -c -o ours.o "$file" 2>err || { cat err; fail "ours: $*"; }
	diff -u <(notes peer.o) <(notes ours.o) || fail "$*: other notes"
	[[ $(notes ours.o | wc -l) -ge 3 ]] || fail "$*: no notes"
	((++compared))
}
for semaphores in -DWITHOUT -D_SDT_HAS_SEMAPHORES; do
	compare program.c gcc -DSDT_USE_VARIADIC $semaphores -O0
	compare program.c gcc -DSDT_USE_VARIADIC $semaphores -O2
	compare program.c g++ -x c++ -DSDT_USE_VARIADIC $semaphores -O2
	! type -P clang >/dev/null || compare program.c clang -DSDT_USE_VARIADIC $semaphores -O2
done
compare asm.S gcc
# a program is built from both: no symbol is defined twice
for half in peer ours; do
	[[ $half = peer ]] && include=$peer || include=$SRC/sdt
	printf '#include <sys/sdt.h>\nvoid %s(void) { STAP_PROBE1(p, %s, 1); }\n' $half $half >$half.c
	gcc -I"$include" -c $half.c || fail $half
done
echo 'void peer(void), ours(void); int main(void) { ours(); peer(); }' | gcc -x c - -x none peer.o ours.o -o both && ./both ||
	fail "a program of both"
[[ $(LC_ALL=C readelf -n both | grep -c 'Provider: p') = 2 && $(readelf -SW both | grep -c stapsdt.base) = 1 ]] || fail "two bases"

# the .d files: the same macros and semaphores
cat >both.d <<'D'
/* a provider */
typedef int number;
struct record { int a; };
provider first_one {
	probe plain();
	probe two__words(int, char *);
	probe named(int number, const char *text, unsigned long size);
};
#pragma D attributes Evolving/Evolving/Common provider first_one provider
D
type -P dtrace >/dev/null && dtrace --help 2>&1 | grep -qi usage || exit 0
for mode in '' -C; do
	# shellcheck disable=SC2086
	dtrace $mode -h -s both.d -o peer.h 2>err && "$BUILD/tapc-dtrace" $mode -h -s both.d -o ours.h || { cat err; fail "-h $mode"; }
	for half in peer ours; do
		grep -o '^#define FIRST_ONE_[A-Z_]*([a-z0-9, ]*)' $half.h | sort -u >$half.macros
		cat >$half.c <<-C
			#include "$half.h"
			void f(void)
			{
				FIRST_ONE_PLAIN();
				if (FIRST_ONE_TWO_WORDS_ENABLED())
					FIRST_ONE_TWO_WORDS(1, "two");
				FIRST_ONE_NAMED(1, "two", sizeof(int));
			}
		C
		gcc -I"$peer" -c -o $half.o $half.c || fail "-h $mode: $half.h"
	done
	diff -u peer.macros ours.macros || fail "other macros"
	diff -u <(notes peer.o) <(notes ours.o) || fail "other notes of the generated header"
done
CFLAGS="-I$peer" dtrace -G -s both.d -o peer.o 2>err && "$BUILD/tapc-dtrace" -G -s both.d -o ours.o || { cat err; fail -G; }
semaphores() { LC_ALL=C readelf -sW "$1" | awk '/_semaphore/ { print $3, $4, $5, $6, $8 }' | sort; }
diff -u <(semaphores peer.o) <(semaphores ours.o) || fail "other semaphores"
[[ $compared -ge 7 && $(semaphores ours.o | wc -l) = 3 ]]
