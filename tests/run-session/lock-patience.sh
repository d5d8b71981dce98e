for _ in 1 2 3 4 5; do
	taskset -c 0 dd if=/dev/zero of=/dev/null bs=1 count=1 status=none &
	sleep 0.01
	taskset -c 1 dd if=/dev/zero of=/dev/null bs=1 count=1 status=none
	wait
done
