insmod "$BUILD/modules/$KREL/chain.ko"
sh -c 'echo sleep >/proc/chain' &
sleeper=$!
sleep 1
kill $sleeper
for i in 1 2 3; do
	timeout 1 sh -c 'while :; do :; done' &
done
dd if=/dev/zero of=/dev/null bs=1 count=20000 status=none
find /proc/self /sys/kernel -maxdepth 2 >/dev/null 2>&1
wait
rmmod chain
