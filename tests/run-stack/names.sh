insmod "$BUILD/modules/chain/$KREL/chain.ko"
echo deep 40 >/proc/chain
rmmod chain
