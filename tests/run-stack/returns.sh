insmod "$BUILD/modules/$KREL/chain.ko"
echo task 1 >/proc/chain
rmmod chain
