#!/bin/bash
# A stripped library with as many functions as a Java VM: C++ names match as written and as mangled
set -e
awk 'BEGIN {
	for (n = 10000; n < 43000; n++)
		printf ".globl _ZN4many6f%dEi\n.type _ZN4many6f%dEi, @function\n_ZN4many6f%dEi: ret\n.size _ZN4many6f%dEi, 1\n", n, n, n, n
}' >many.s
gcc -shared -nostdlib -s -o libmany.so many.s
count() { "$TAPC" -l "process(\"./libmany.so\").function(\"$1\")" | wc -l; }
[[ $(count '*') = 33000 && $(count 'many::*') = 33000 && $(count '_ZN4many6f123*') = 100 && $(count 'f42[0-4]??') = 500 ]]
"$TAPC" -l 'process("./libmany.so").function("many::f12345")' >one
sed "s#$PWD#DIR#" one | diff - <(echo 'process("DIR/libmany.so").function("many::f12345(int)")')
