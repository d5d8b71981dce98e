#!/bin/bash
# A probed module can be unloaded and loaded while it is in use and its functions are hit; the session continues
# timeout: 360
"$TAPRUN" ./t_leaves.ko >out 2>err &
pid=$!
until [[ -s out ]] || ! kill -0 $pid; do sleep 0.1; done
for i in 1 2 3 4 5 6; do
	modprobe dummy numdummies=2 || exit
	busybox ip link set dummy0 up
	busybox ip addr add 10.9.$i.1/24 dev dummy0
	for _ in 1 2 3 4 5; do echo x >/dev/udp/10.9.$i.2/9; done 2>/dev/null
	busybox ip link set dummy0 down
	rmmod dummy || exit
done
kill -INT $pid
wait $pid
status=$?
tail -n 1 out
cat err
[[ $status = 0 && $(tail -n 1 out) = "end 1" && ! -s err ]]
