insmod "$BUILD/modules/$KREL/vars.ko" && rmmod vars
