#!/bin/bash
# An instruction that the kernel does not let be probed is refused, alone, or left out of a wildcard
set -e
cat >locked.c <<'END'
int x;
__attribute__((noipa)) void add(void) { __sync_fetch_and_add(&x, 1); }
__attribute__((noipa)) void set(void) { x = 1; }
/* Prefixes that the kernel accepts. */
__attribute__((noipa)) void copy(char *to, const char *from, long n) { __asm__("rep movsb" : "+D" (to), "+S" (from), "+c" (n)); }
int main(void) { add(); set(); return 0; }
END
gcc -O2 -g -o locked locked.c
at=$(printf '%x' "0x$(nm locked | sed -n 's/ T add$//p')")
"$TAPC" -p2 -e 'probe process("./locked").function("add") { }' 2>err && exit 1
grep -qx "<input>:1:7: note: the kernel cannot place a breakpoint on the instruction at 0x$at of 'add', because it has the prefix 'lock'" err
"$TAPC" -l 'process("./locked").function("*@locked.c")' 2>/dev/null | sed 's/.*function("//; s/@.*//' | sort | diff -u - <(printf '%s\n' copy main set)
