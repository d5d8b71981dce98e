#!/bin/bash
# Without compiler, make, headers or QEMU: one message names what is missing and the package, nothing is left
# default: no
# sanitizers: no
warm=$XDG_CACHE_HOME
export XDG_CACHE_HOME=$PWD/cache
. "$SRC/tests/lib/tools.sh"
fail() { echo "$*"; head -n 20 err; exit 1; }
e='probe begin { exit() }'
link_tools none
cp -r none compiler && ln -s /usr/bin/*gcc* compiler/
cp -r none maker && ln -s "$(type -P make)" maker/
cp -r compiler both && ln -s "$(type -P make)" both/
lacks()		# PATH PATTERN
{
	# shellcheck disable=SC2086
	PATH=$PWD/$1 "$TAPC" $TAPC_ARGS -p4 -m tap_x -e "$e" >out 2>err
	[[ $? = 4 && $(wc -l <err) -le 2 ]] && grep -q "$2" err || fail "with '$1' alone"
}
lacks maker 'gcc.*not installed.*apt install gcc'
lacks compiler "no 'make'.*apt install make"
lacks none 'install'
[[ -z $(find cache -name '.tmp*') ]] || fail "left: $(find cache -name '.tmp*')"
"$TAPC" -r 9.9.9-none -p4 -m tap_x -e "$e" >out 2>err
[[ $? = 4 ]] && grep -q 'apt install linux-headers-9.9.9-none' err || fail "no headers"
XDG_CACHE_HOME=$warm PATH=$PWD/both "$TAPC" --sysroot "$SYSROOT" --vm="$KREL" -e "$e" >out 2>err && fail "ran without QEMU?"
grep -q 'error: --vm needs qemu-system-x86_64, which is not installed; .*apt install qemu-system-x86 ' err || fail "no QEMU"
[[ ! -e tap_x.ko ]] || fail "a module without tools"
