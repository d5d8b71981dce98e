#!/bin/bash
# 200 sessions with direct calls begin and end while four tasks are in the functions all the time
# timeout: 900
# default: no
for _ in 1 2 3 4; do
	while :; do dd if=/dev/zero of=/dev/null bs=1 count=100000 status=none; done &
done
trap 'kill $(jobs -p) 2>/dev/null' EXIT
for ((i = 0; i < 200; i++)); do
	"$TAPRUN" ./t_reload.ko || exit
done
