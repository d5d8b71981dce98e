insmod "$BUILD/modules/vars/$KREL/vars.ko" && rmmod vars
