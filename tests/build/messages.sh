#!/bin/bash
# Each reason why a build cannot start gets one message that says what is missing and which package has it
# default: no
warm=$XDG_CACHE_HOME
export XDG_CACHE_HOME=$PWD/cache
s='probe begin { exit() }'
try()
{
	"$TAPC" "$@" -p4 -m x -e "$s" </dev/null 2>&1 | sed "s/'sudo apt /'apt /; s#$PWD#HERE#g; s#$(readlink -f "$SYSROOT")#SYSROOT#g; s#$SYSROOT#SYSROOT#g; s#$KREL#KREL#g"
	echo "status ${PIPESTATUS[0]}"
	[[ ! -e x.ko ]] || echo "made x.ko"
}
tree()	# tree NAME VERSION-TEXT: a minimal build tree
{
	mkdir -p "$1/include/generated" "$1/include/config" "$1/scripts/mod" "$1/arch/x86"
	echo '#define UTS_RELEASE "1.2.3-test"' >"$1/include/generated/utsrelease.h"
	printf 'all:\n' >"$1/Makefile"
	printf 'CONFIG_X86=y\nCONFIG_X86_64=y\nCONFIG_MODULES=y\n%s\n' "$2" >"$1/include/config/auto.conf"
	cp "$1/include/config/auto.conf" "$1/.config"
	: >"$1/Module.symvers"
	: >"$1/include/generated/autoconf.h"
	: >"$1/scripts/mod/modpost"
	chmod +x "$1/scripts/mod/modpost"
}
without_tools()
{
	{ PATH=$PWD/only-make "$TAPC" -r "$1" -p4 -m x -e "$s" </dev/null 2>&1; } | sed "s/'sudo apt /'apt /; s#$PWD#HERE#g"
}
mkdir only-make && ln -s "$(type -P make)" only-make/
echo '== no headers'
try --sysroot "$PWD" -r 9.9.9-none
echo '== a folder that is no build tree'
mkdir nothing
try -r "$PWD/nothing"
echo '== incomplete headers'
mkdir -p short/include/generated
echo '#define UTS_RELEASE "1.2.3-test"' >short/include/generated/utsrelease.h
printf 'all:\n' >short/Makefile
try -r "$PWD/short"
echo '== no such architecture'
try --sysroot "$SYSROOT" -r "$KREL" -a pdp11
echo '== another architecture'
try --sysroot "$SYSROOT" -r "$KREL" -a arm64
echo '== no such compiler'
try --sysroot "$SYSROOT" -r "$KREL" -B CC=gcc-3
echo '== the compiler of the kernel'
tree other 'CONFIG_CC_IS_CLANG=y'
echo 'CONFIG_CC_VERSION_TEXT="clang version 99.0.0"' >>other/include/config/auto.conf
without_tools "$PWD/other"
tree third 'CONFIG_CC_IS_GCC=y'
echo 'CONFIG_CC_VERSION_TEXT="gcc-99 (Debian) 99.0.0"' >>third/include/config/auto.conf
without_tools "$PWD/third"
echo '== no modules'
tree fourth '' && sed -i /MODULES/d fourth/include/config/auto.conf
try -r "$PWD/fourth"
echo '== no make'
rm only-make/make
without_tools "$PWD/third"
echo '== a C compiler that fails on the user'"'"'s C'
XDG_CACHE_HOME=$warm "$TAPC" --sysroot "$SYSROOT" -r "$KREL" -g -p4 -m x -e 'function f() %{ nonsense %} probe begin { f() }' 2>&1 |
	grep '^<input>\|^tapc:' | sed "s#$KREL#KREL#g"
echo '== no runtime'
try --sysroot "$SYSROOT" -r "$KREL" -R "$PWD/nothing"
echo '== a part of the runtime is empty'
mkdir -p part/{abi,core,kernel,tapsets}
touch part/{abi,core,kernel}/some.c
try --sysroot "$SYSROOT" -r "$KREL" -R "$PWD/part"
echo '== a runtime without its main file'
touch part/tapsets/some.c
try --sysroot "$SYSROOT" -r "$KREL" -R "$PWD/part"
echo '== a wrong type in it'
XDG_CACHE_HOME=$warm "$TAPC" --sysroot "$SYSROOT" -r "$KREL" -g -p4 -m x -e 'function f:string() %{ STAP_RETVALUE = 42; %}
probe begin { println(f()) }' 2>&1 | grep -o '^tapc:.*\|Werror=int-conversion' | sed "s#$KREL#KREL#g"
[[ ! -e x.ko ]] || echo "made x.ko"
exit 0
