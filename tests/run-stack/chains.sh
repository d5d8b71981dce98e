insmod "$BUILD/modules/$KREL/chain.ko"
echo task 2 >/proc/chain
echo irq >/proc/chain
rmmod chain
