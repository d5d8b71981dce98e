#!/bin/bash
# Functions of a loaded module: each call counts, entry and return
# kernels: all
# host: "$TAPC" $TAPC_ARGS -p4 -m t_module -e 'global n, r probe module("dummy").function("dummy_setup") { n++ } probe module("dummy").function("dummy_setup").return { r++ } probe end { printf("%d %d %s\n", n, r, "done") }'
set -e
modprobe dummy numdummies=0
trap 'rmmod dummy' EXIT
result=$("$TAPRUN" -c 'for i in 1 2 3 4 5; do busybox ip link add tap_d$i type dummy && busybox ip link del tap_d$i; done' ./t_module.ko)
echo "$result"
[[ $result = '5 5 done' ]]
