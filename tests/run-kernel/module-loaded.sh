#!/bin/bash
# Functions of a loaded module: each call counts, entry and return
# kernels: all
set -e
modprobe dummy numdummies=0
trap 'rmmod dummy' EXIT
result=$("$TAPRUN" -c 'for i in 1 2 3 4 5; do busybox ip link add tap_d$i type dummy && busybox ip link del tap_d$i; done' ./t_module.ko)
echo "$result"
[[ $result = '5 5 done' ]]
