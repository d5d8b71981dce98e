insmod "$BUILD/modules/chain/$KREL/chain.ko"
echo task 1 >/proc/chain
rmmod chain
