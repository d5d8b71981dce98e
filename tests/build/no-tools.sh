#!/bin/bash
# Without headers, compiler, make or QEMU: the message names what is missing and the package, nothing is left
export XDG_CACHE_HOME=$PWD/cache
fail() { echo "$*"; head -n 20 err; exit 1; }
e='probe begin { exit() }'
mkdir bin
for tool in "$(type -P gcc)" /usr/bin/*; do
	case ${tool##*/} in
	gcc* | cc | c99* | c89* | *-gcc* | clang* | qemu*) ;;
	*) ln -s "$tool" bin/ 2>/dev/null ;;
	esac
done
# shellcheck disable=SC2086
run() { PATH=$1 "$TAPC" $TAPC_ARGS -p4 -m tap_x -e "$e" >out 2>err; }
run "$PWD/bin"
[[ $? = 4 && $(wc -l <err) = 1 ]] && grep -q "'make'.*install make" err || fail "no make"
ln -s "$(type -P make)" bin/
run "$PWD/bin"
[[ $? = 4 && $(wc -l <err) -le 3 ]] && grep -qiE 'gcc|compiler' err && grep -q install err || fail "no compiler"
[[ -z $(find cache -name '.tmp*') ]] || fail "left: $(find cache -name '.tmp*')"
"$TAPC" -r 9.9.9-none -p4 -m tap_x -e "$e" >out 2>err
[[ $? = 4 || $? = 2 ]] || fail "no headers: status"
grep -q 'linux-headers-9.9.9-none\|kernel-devel' err || fail "no headers"
PATH=$PWD/bin "$TAPC" --sysroot "$SYSROOT" --vm="$KREL" -e "$e" >out 2>err && fail "ran without QEMU?"
grep -qi 'qemu' err || fail "no QEMU"
[[ ! -e tap_x.ko ]] || fail "a module without tools"
