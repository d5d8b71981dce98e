#!/bin/bash
# -l and -L list places, sorted, each once; nothing found is status 1
[[ -n $KREL ]] || { echo "no kernel to build for"; exit 77; }
# shellcheck disable=SC2086
tapc() { "$TAPC" $TAPC_ARGS "$@" >out 2>err; }
fail() { echo "$*"; head -n 20 out err; exit 1; }
tapc -l 'kernel.function("vfs_r*")' || fail -l
grep -q '^kernel.function("vfs_read")' out && grep -q 'vfs_readlink' out && ! grep -q vfs_write out || fail -l
[[ $(sort out | uniq -d) = '' ]] || fail "twice"
tapc -l 'module("dummy").function("dummy_*")' && grep -q dummy_setup out || fail "a module's"
tapc -l 'kernel.function("no_such_function_*")'
[[ $? = 1 && ! -s out ]] || fail "nothing found"
tapc -l 'timer.s(1)' && grep -q 'timer.s(1)' out || fail timer
tapc -L 'kernel.function("vfs_read")' && grep -q vfs_read out || fail -L
# aliases by their names, with the variables they set; suffix patterns expanded
tapc -l 'vfs.r*' && grep -qx vfs.read out && ! grep -q kernel out || fail "an alias"
tapc -L vfs.read && grep -q '^vfs.read .*\<file:long\>.* pathname:string .*\$file:struct file\* \$buf:char\*' out || fail "an alias's variables"
tapc -L 'my.x = begin { n = 1; s = "a"; __own = 2; println(n, s, __own) } probe my.x' && [[ $(<out) = 'my.x n:long s:string' ]] || fail "an alias of the line"
tapc -l 'my.x = kernel.function("vfs_read") { } probe my.x.*' && grep -q '^kernel.function("vfs_read.*").return$' out || fail "after an alias"
# a program's functions, with their visible variables
cat >work.c <<'S'
struct item { int n; };
int __attribute__((noinline)) handle(struct item *it, const char *msg) { return it->n + msg[0]; }
int main(int c, char **v) { struct item i = { c }; return handle(&i, v[0]); }
S
gcc -g -O1 work.c -o work || exit
tapc -L 'process("./work").function("handle")' && grep -q '^process("[^ ]*").function("handle@[^ ]*") \$it:struct item\* \$msg:const char\*$' out || fail "a program's"
tapc -L 'process("./work").function("handle").return' && grep -q '.return \$return:int \$it:struct item\*' out || fail "a program's return"
# a pattern for a family lists points, without the probes in tapset files
tapc -l '*.function("vfs_read")' && grep -qx 'kernel.function("vfs_read")' out && ! grep -q procfs out || fail "any family"
tapc -l 'process("./work").*' && grep -q '^process(".*").begin$' out || fail "any point of a program"
tapc -l 'timer.*' && [[ $(<out) = timer.profile ]] || fail "any timer"
for none in 'kernel.*' 'kernel.**' 'module("dummy").**'; do
	tapc -l "$none"
	[[ $? = 1 && ! -s out ]] && grep -q "unknown probe point" err || fail "$none"
done
# one of many that a point expands to
tapc --help-probe syscall.openat && grep -q '^syscall.\*' out && grep -qF "tapc -L 'syscall.openat'" out || fail "one of many"
