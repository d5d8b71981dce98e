#!/bin/bash
# NAME=VALUE after the module sets a global before begin; a wrong name or value is refused
# kernels: all
# host: "$TAPC" $TAPC_ARGS --no-global-var-display -p4 -m t_values -e 'global a = 5, s = "none" probe begin { printf("%d %s\n", a, s); exit() }'
. "$SRC/tests/lib/session.sh"
[[ $("$TAPRUN" ./t_values.ko) = '5 none' ]] || fail "defaults"
[[ $("$TAPRUN" ./t_values.ko a=-7 's=two words=x') = '-7 two words=x' ]] || fail "values"
[[ $("$TAPRUN" ./t_values.ko a=0x10 s=) = '16 ' ]] || fail "hexadecimal, empty"
for bad in a=x a=1x a= b=1 a 9223372036854775808 a=9223372036854775808 =1; do
	"$TAPRUN" ./t_values.ko "$bad" >out 2>err
	status=$?
	[[ $status = 2 && ! -s out ]] || fail "'$bad': $status" "$(cat out err)"
	gone t_values || fail "'$bad': still loaded"
done
