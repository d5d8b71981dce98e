#!/bin/bash
# Files that are not modules of tapc are refused with the reason: status 5, one line, nothing is loaded
# kernels: all
# host: "$TAPC" $TAPC_ARGS --no-global-var-display -p4 -m t_module -e 'probe begin { exit() }'
. "$SRC/tests/lib/session.sh"
cp /proc/modules before
mkdir folder; : >empty; echo text >text; head -c 5000 t_module.ko >short; head -c 5000 /dev/urandom >random
cp "/lib/modules/$KREL/kernel/drivers/net/"dummy.ko* .
[[ ! -e dummy.ko.xz ]] || xz -d dummy.ko.xz
refused()
{
	"$TAPRUN" "$1" >out 2>err
	[[ $? = 5 && $(wc -l <err) = 1 && ! -s out ]] && grep -q "$2" err || fail "$1" "$(cat out err)"
}
refused folder 'is a directory'
refused empty 'is empty'
refused text 'too short\|not an ELF file'
refused random 'not an ELF file'
refused short 'truncated'
refused absent 'No such file'
refused /dev/null 'regular file'
refused dummy.ko 'not made by tapc'
cmp before /proc/modules
