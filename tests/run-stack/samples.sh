insmod "$BUILD/modules/chain/$KREL/chain.ko"
sh -c 'echo sleep >/proc/chain' &
sleeper=$!
sleep 3
kill $sleeper
for _ in 1 2 3; do
	timeout 1 sh -c 'while :; do :; done' &
done
dd if=/dev/zero of=/dev/null bs=1 count=3000 status=none
ls -R /proc/self/task >/dev/null 2>&1
wait
rmmod chain
