#!/bin/bash
# A module with another build ID is not probed, whether it is loaded before or after the start; the right one is
# default: no
# kernels: all
# host: "$TAPC" $TAPC_ARGS -p4 -m t_module -e 'global n probe module("dummy").function("dummy_setup") { n++ } probe end { println(n) }'
modprobe dummy numdummies=0 || exit 1
trap 'rmmod dummy 2>/dev/null' EXIT
unload() { for ((i = 0; i < 50; i++)); do rmmod dummy 2>/dev/null && return; sleep 0.1; done; echo "dummy stays"; exit 1; }
add='for i in 1 2 3; do busybox ip link add tap_d$i type dummy && busybox ip link del tap_d$i; done'
[[ $("$TAPRUN" -c "$add" ./t_module.ko) = 3 ]] || { echo "the right one is not traced"; exit 1; }
id=$(od -An -v -tx1 -j16 /sys/module/dummy/notes/.note.gnu.build-id | tr -d ' \n')
[[ ${#id} = 40 ]] || { echo "no build-id of dummy"; exit 1; }
# Its first bytes, with special characters of sed replaced by any byte
bytes=$(sed 's/../\\x&/g; s/\\x\(2a\|2e\|2f\|5[b-e]\|24\)/./g' <<<"${id:0:20}")
LC_ALL=C sed -z "s/$bytes/0123456789/" t_module.ko >other.ko
cmp -s t_module.ko other.ko && { echo "its sites carry no build-id"; exit 1; }
"$SRC/tests/modules/sign" other.ko
"$TAPRUN" -c "$add" ./other.ko >out 2>err
status=$?
[[ $status = 5 && ! -s out ]] && grep -q 'module is a different build' err ||
	{ echo "status $status for what is there: $(cat out err)"; exit 1; }
unload
[[ $("$TAPRUN" -c "modprobe dummy numdummies=0; $add" ./t_module.ko) = 3 ]] ||
	{ echo "the right one is not traced when it comes later"; exit 1; }
unload
"$TAPRUN" -c "modprobe dummy numdummies=0; $add" ./other.ko >out 2>err
[[ $(cat out) = 0 ]] && grep -q 'module is a different build' err ||
	{ echo "what comes later: $(cat out err)"; exit 1; }
