insmod "$BUILD/modules/chain/$KREL/chain.ko"
echo task 2 >/proc/chain
echo irq >/proc/chain
echo nmi >/proc/chain
rmmod chain
