#!/bin/bash
# taprun and tapd refuse a module whose wire protocol is another version's: one line with advice, status 5, nothing stays
# loaded
# default: no
# arm64: no, tapd is not built for it
# host: cp -rL "${TAPC%/*}/share/runtime" other; sed -i 's/^#define TAP_WIRE_VERSION .*/#define TAP_WIRE_VERSION 65535u/' other/abi/tap_version.h; "$TAPC" $TAPC_ARGS -R "$PWD/other" -p4 -m t_version -e 'probe begin { println("begin") }'; rm -r other
. "$SRC/tests/lib/session.sh"
. "$SRC/tests/lib/tapd.sh"
[[ $wire_version != 65535 ]] || fail "it is this version"
advice='are from different versions of tapc: rebuild it'

"$TAPRUN" ./t_version.ko >out 2>err
[[ $? = 5 && ! -s out && $(wc -l <err) = 1 ]] && grep -q "module 't_version' and taprun $advice" err ||
	fail "taprun" "$(cat out err)"
gone t_version || fail "taprun left it loaded"

make_users
start_tapd
refused "module 't_version' and tapd $advice" ann ./t_version.ko
gone t_version || fail "tapd left it loaded"
stop_tapd
