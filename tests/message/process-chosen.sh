#!/bin/bash
# For a function that is chosen when a program is loaded (IFUNC), all candidates are probed; if they cannot be
# determined, there is a warning
set -e
cat >choice.c <<'END'
#define ONE(name, n) __attribute__((noipa)) int name(int x) { return x + n; }
volatile int never;
const char *volatile name;
static ONE(hidden, 1) ONE(known, 2) static ONE(other, 3)
static void *(*table[])(void) = { (void *(*)(void))hidden, (void *(*)(void))other };
static void *choose(void) { return never ? (void *)hidden : never > 1 ? (void *)known : (void *)other; }
static void *look_up(void) { return (void *)table[never]; }
static void *ask(void) { name = "__vdso_now"; return never ? (void *)hidden : 0; }
int chosen(int x) __attribute__((ifunc("choose")));
int looked_up(int x) __attribute__((ifunc("look_up")));
int now(int x) __attribute__((ifunc("ask")));
int main(void) { return chosen(looked_up(1)) == 5; }
END
gcc -O2 -shared -fPIC -o choice.so choice.c
gcc -O1 -no-pie -o choice choice.c
gcc -O2 -s -shared -fPIC -o stripped.so choice.c
aarch64-linux-gnu-gcc -O2 -shared -fPIC -nostdlib -o arm64.so choice.c
places() { "$TAPC" ${3:+-a $3} -l "process(\"./$1\").function(\"$2\")" 2>&1 | grep -v '^ ' | sed "s#$PWD#DIR#"; }
diff -u - <(places choice.so chosen; places choice chosen; places arm64.so 'chos*' arm64; places choice.so looked_up; places choice.so now) <<'END'
process("DIR/choice.so").function("hidden")
process("DIR/choice.so").function("known")
process("DIR/choice.so").function("other")
process("DIR/choice").function("hidden")
process("DIR/choice").function("known")
process("DIR/choice").function("other")
process("DIR/arm64.so").function("hidden")
process("DIR/arm64.so").function("known")
process("DIR/arm64.so").function("other")
<input>:1:7: warning: 'looked_up' only selects an implementation when a program is loaded (IFUNC), and the candidates are not known: probe them by their own names
process("DIR/choice.so").function("looked_up")
<input>:1:7: warning: 'now' is mostly handled in the vDSO, which cannot be probed: only calls of 'hidden' are probed
process("DIR/choice.so").function("hidden")
END
# without names: three addresses, none of them the resolver's
"$TAPC" -p3 -e 'probe process("./stripped.so").function("chosen") { }' >out.c
[[ $(grep -c '{ .site = { .symbol = "\(chosen\|known\)", ' out.c) = 3 ]]
! grep -q "0x$(nm -D stripped.so | sed -n 's/^0*\([0-9a-f]*\) i chosen$/\1/p')ull" out.c
