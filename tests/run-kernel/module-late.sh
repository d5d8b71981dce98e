#!/bin/bash
# A module that is loaded after the start is probed from its first call on, and again when it is reloaded
# kernels: all
set -e
! grep -q '^dummy ' /proc/modules || exit 1
result=$("$TAPRUN" -c 'modprobe dummy numdummies=3 && rmmod dummy && modprobe dummy numdummies=4; rmmod dummy; modprobe dummy numdummies=1' ./t_late.ko)
echo "$result"
rmmod dummy
[[ $result = '8 8' ]]
