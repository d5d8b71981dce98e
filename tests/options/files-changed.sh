#!/bin/bash
# A script is translated again if the program, the module or the debug file of its points has changed; otherwise the
# module is taken from the cache
[[ -n $KREL ]] || { echo "no kernel to build for"; exit 77; }
fail() { echo "$*"; cat err; exit 1; }
# build NAME SCRIPT
build() { # shellcheck disable=SC2086
	"$TAPC" $TAPC_ARGS -v -p4 -m "$1" -e "$2" >out 2>err; }
make_program()
{
	echo "$1" >p.c
	gcc -g -O1 -o p p.c && objcopy --only-keep-debug p p.debug && strip p && objcopy --add-gnu-debuglink=p.debug p
}
cached() { grep -q 'the same as before' err; }

make_program '__attribute__((noipa)) int f(int n) { return n + 1; } int main(void) { return f(2); }'
script="probe process(\"$PWD/p\").function(\"f\") { println(\$n) }"
build one "$script" || fail "not built"
make_program '__attribute__((noipa)) int g(int n) { return n - 1; } __attribute__((noipa)) int f(int n) { return g(n) + 1; } int main(void) { return f(2); }'
build two "$script" && ! cached || fail "an old program's"
! cmp -s one.ko two.ko || fail "the program is another"
mv p.debug away
! build two "$script" || fail "without debug information"
mv away p.debug
build two "$script" || fail "with it again"

"$SRC/tests/run-place/make-target" || fail "no module"
script="probe module(\"$PWD/place_target.ko\").function(\"place_first\").call { println(\$value) }"
build three "$script" && build three "$script" && cached || fail "not from the cache"
touch place_target.ko
build three "$script" && ! cached || fail "an old module's"
