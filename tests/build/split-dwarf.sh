#!/bin/bash
# Debug information in a separate file (.dwo) is read; if that is missing the message names it
set -e
echo '__attribute__((noipa)) int f(int n) { return n + 1; } int main(void) { return f(3); }' >a.c
gcc -g -gsplit-dwarf -O1 -c a.c && gcc -o a a.o
# shellcheck disable=SC2086
tell() { "$TAPC" $TAPC_ARGS -p2 -e "probe process(\"$PWD/a\").function(\"f\") { println(\$n) }" >out 2>err; }
tell || { cat err; exit 1; }
mv a.dwo away
! tell || { echo "found a parameter that nothing describes"; exit 1; }
grep -q 'DWARF: it is in a.dwo, which does not exist' err || { cat err; exit 1; }
