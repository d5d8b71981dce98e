#!/bin/bash
# Returns of a function are probed, and no longer, again and again, while another session probes them, too
# default: no
# kernels: whole arm64
for _ in 1 2; do
	dd if=/dev/zero of=/dev/null bs=1 status=none &
done
trap 'kill $(jobs -p) 2>/dev/null' EXIT
"$TAPRUN" ./t_stays.ko >stays &
for ((i = 0; i < 20; i++)); do
	"$TAPRUN" ./t_ends.ko || exit
done
kill -INT $! && wait $! && grep -x counted stays
