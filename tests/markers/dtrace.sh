#!/bin/bash
# tapc-dtrace: what it makes of .d files, its options, and all of its messages
# sanitizers: no
fail() { echo "$*"; exit 1; }
make() { "$BUILD/tapc-dtrace" "$@"; }
export CC=gcc
unset CFLAGS

# a file with all that may surround providers, as it is and through the preprocessor
mkdir sub
cat >sub/full.d <<'D'
#define COUNT 3
#include <stddef.h>
/* a comment with provider x { probe y(); }; */
typedef unsigned int number; // probe z();
struct record { int a; char b[COUNT]; };
enum level { LOW, HIGH };
extern int function(int, char *);
static inline int twice(int x) { return 2 * x; }
translator other < struct record *r > { a = r->a; };
#pragma D depends_on \
	provider io
provider first {
	probe empty();
	probe none(void);
	probe two__words(int a,   const char *	text);
	probe all(number, struct record *, void (*)(int, char), int[COUNT], const volatile unsigned long long,
		  /* a comment, with a comma */ enum level, uintptr_t);
	probe translated(struct record *r) : (int a, char *b);
	probe __under(int);
};
#pragma D attributes Evolving/Evolving/Common provider first provider
provider second__one { probe twelve(int, int, int, int, int, int, int, int, int, int, int, int); }
D
# in this directory, and without anything else that is left
make -h -s sub/full.d && make -s sub/full.d -G || fail "no header, no object"
[[ "$(echo *)" = 'full.h full.o sub' ]] || fail "files: $(echo *)"
cat >expected <<'MACROS'
/* FIRST_EMPTY() */
/* FIRST_NONE() */
/* FIRST_TWO_WORDS(int a, const char * text) */
/* FIRST_ALL(number, struct record *, void (*)(int, char), int[COUNT], const volatile unsigned long long, enum level, uintptr_t) */
/* FIRST_TRANSLATED(struct record *r) */
/* FIRST__UNDER(int) */
/* SECOND__ONE_TWELVE(int, int, int, int, int, int, int, int, int, int, int, int) */
MACROS
grep '^/\* [A-Z_]*(' full.h | diff -u expected - || fail "other macros"
make -C -h -s sub/full.d -o full-C.h && sed 's/COUNT/3/' expected | diff -u - <(grep '^/\* [A-Z_]*(' full-C.h) || fail "-C"
[[ $(nm full.o | grep -c '_semaphore$') = 7 ]] || fail "-G: $(nm full.o)"
make -h -s sub/full.d -o - | cmp - full.h || fail "-o -"
! grep -q "$PWD\|$SRC" full.h full.o || fail "a path of this machine"

# the header is all that a program needs, in C and C++, on its own or after sys/sdt.h without semaphores
for language in c c++; do
	for first in '' '#include <sys/sdt.h>'; do
		cat >program.c <<-C
			$first
			#include "full.h"
			#include "full.h"
			int main(void)
			{
				FIRST_EMPTY();
				FIRST_TWO_WORDS(1, "x");
				return FIRST_EMPTY_ENABLED();
			}
		C
		if [[ -z $first ]]; then
			gcc -Wall -Wextra -Wpedantic -Werror -x $language program.c -x none full.o -o program || fail "with semaphores"
			./program || fail "enabled"
		else
			gcc -Wall -Werror -I"$SRC/sdt" -x $language program.c -o program || fail "without semaphores"
			! ./program || fail "not enabled without semaphores"
		fi
		[[ $(LC_ALL=C readelf -n program | grep -c 'Name: two__words') = 1 ]] || fail "no marker"
	done
done

# options: -I, -D and -U for the preprocessor, -k, -v, those without effect, and objects as DTrace needs them
mkdir include
echo 'typedef int included;' >include/types.h
cat >options.d <<'D'
#include "types.h"
provider options {
#ifdef MORE
	probe more(included);
#endif
#ifdef __linux__
	probe here();
#endif
};
D
make -C -Iinclude -D MORE -U__linux__ -h -s options.d -o - | grep '^#define OPTIONS' | grep -v ENABLED >out
[[ $(cat out) = '#define OPTIONS_MORE(arg1) DTRACE_PROBE1(options, more, arg1)' ]] || { cat out; fail "-I, -D, -U"; }
mkdir kept
(cd kept && make -v -k -C -I ../include -G -s ../options.d --types --no-pyparsing -64 -o options.o ../full.o) 2>err || fail "-v -k"
grep -q '^tapc-dtrace: ../options.d has 1 probes$' err && grep -q '^+ exec gcc .*-c' err && grep -q '^tapc-dtrace: kept: options.o' err || {
	cat err
	fail "-v"
}
[[ $(ls kept | wc -l) = 3 ]] || fail "-k: $(ls kept)"
CFLAGS='-DSTAP_SDT_V2 -O2 -Wall -Werror' make -G -s sub/full.d -o visible.o
[[ $(readelf -sW visible.o | grep -c 'DEFAULT.*_semaphore') = 7 ]] || fail CFLAGS
ln -s /dev/full full
make --help | grep -q '^usage: tapc-dtrace' && make --version | grep -q '^tapc-dtrace [0-9]' || fail "--help"

# a name of a macro in C: the compiler of arm64
if type -P aarch64-linux-gnu-gcc >/dev/null; then
	CC='aarch64-linux-gnu-gcc -O1' make -G -s sub/full.d -o arm64.o && readelf -h arm64.o | grep -q AArch64 || fail "CC"
fi

# messages: each mistake once, at its place, and no output
refused()
{
	local want=$1

	shift
	! make "$@" >out 2>err || fail "$*: taken"
	grep -qF -- "$want" err || { cat err; fail "$*: no '$want'"; }
	[[ ! -e wrong.h && -z $(find . -name 'wrong.*.i' -o -name 'wrong.*.c') ]] || fail "$*: left files"
}
wrong()
{
	printf '%b' "$1" >wrong.d
	refused "wrong.d:$2: error: $3" -h -s wrong.d
	[[ $(grep -c ' error: ' err) = 1 ]] || { cat err; fail "$1: not one error"; }
}
wrong 'provider a {\n\tprobe one(int, );\n};' 2:17 "expected the type of an argument, found ')'"
wrong 'provider a {\n\tprobe one(int)\n\tprobe two();\n};' 3:2 "expected ';', found 'probe'"
wrong 'provider a { probe one(int; };' 1:27 "expected ',' or ')', found ';'"
wrong 'provider a { probe one(int' 1:27 "expected ',' or ')', found the end of the file"
wrong 'provider a { probe one; };' 1:23 "expected '(', found ';'"
wrong 'provider a { probe 1(); };' 1:20 "expected the name of a probe, found '1'"
wrong 'provider { };' 1:10 "expected the name of a provider, found '{'"
wrong 'provider a probe b();' 1:12 "expected '{', found 'probe'"
wrong 'provider a { int x; };' 1:14 "expected 'probe' or '}', found 'int'"
wrong 'provider a {\n probe b();\nprovider c { };' 3:1 "expected 'probe' or '}', found 'provider'"
wrong 'provider a { probe b(' 1:22 "expected ',' or ')', found the end of the file"
wrong 'struct x { int a; }\nprovider a { };' 2:1 "expected ';', found 'provider'"
wrong 'struct x { int a;' 1:18 "expected ';', found the end of the file"
wrong 'provder a { probe b(); };' 1:1 "expected 'provider' or a declaration, found 'provder'"
wrong '};\nprovider a { };' 1:1 "expected 'provider' or a declaration, found '}'"
wrong 'int x;\n' 2:1 'no provider: expected provider NAME { probe NAME(TYPE, ...); }'
wrong 'provider a { probe b(); /* }' 1:25 'the comment has no end'
wrong 'provider a { probe b-c(); };' 1:21 "a name has no '-'; '__' in the name of a probe is shown as '-' by DTrace"
wrong 'provider a { probe b(); probe b(int); };' 1:31 "probe 'b' was declared before"
wrong 'provider a { probe b_c();\nprobe b__c(); };' 2:7 "the macro of probe 'b__c' has the name of another one's"
grep -qx "wrong.d:1:20: note: it is 'b_c'" err || fail "no note"
wrong 'provider a { probe b(int, int, int, int, int, int, int, int, int, int, int, int, int last); };' 1:82 'a probe has at most 12 arguments'
wrong 'provider a { probe b(); };\0' 1:27 'a byte 0 in the text'
# several in one file
printf 'provider a {\n probe b(,);\n probe c();\n int d;\n};\nprovider e { probe f(int g]); };\n' >wrong.d
refused "wrong.d:2:10" -h -s wrong.d
[[ $(grep -c '^wrong.d:.* error: ' err) = 3 ]] || { cat err; fail "not all errors"; }
# through the preprocessor: the place in the original file; in a line with macros only the line
printf '#include "wrong.in"\nprovider a { };\n' >wrong.d
printf '\n\nprovider b {\n\tprobe c(int, );\n};\n' >wrong.in
refused "wrong.in:4:15: error: expected the type of an argument" -C -h -s wrong.d
printf '\n\nprovider b {\n\tprobe c(MACRO, );\n};\n' >wrong.in
refused "wrong.in:4:1: error: expected the type of an argument" -C -DMACRO=int -h -s wrong.d

refused "tapc-dtrace: error: no file with probes: expected -s FILE.d; try --help" -h
refused "tapc-dtrace: error: expected -h for a header or -G for an object; try --help" -s sub/full.d
refused "tapc-dtrace: error: -h and -G exclude each other; try --help" -h -G -s sub/full.d
refused "invalid option -- 'z'" -h -z -s sub/full.d
refused "tapc-dtrace: error: cannot read 'none.d': No such file" -h -s none.d
refused "tapc-dtrace: error: cannot read 'none.d': No such file" -C -h -s none.d
refused "tapc-dtrace: error: cannot write 'full': No space left" -h -s sub/full.d -o full
refused "tapc-dtrace: error: cannot create a temporary file 'none/x.o." -G -s sub/full.d -o none/x.o
grep -q "cannot create a temporary file 'none/x\.o\.[A-Za-z0-9]*\.c': No such file" err || { cat err; fail "no reason"; }
CC=no-such-compiler refused "tapc-dtrace: error: the compiler failed (exit status 127): 'no-such-compiler'; CC and CFLAGS select another one and its options" \
	-G -s sub/full.d -o wrong.o
echo '#error no' >wrong.d
refused "the compiler failed (exit status 1): 'gcc'; CC and CFLAGS select another one and its options" -C -h -s wrong.d
