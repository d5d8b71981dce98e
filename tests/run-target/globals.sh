insmod "$BUILD/modules/vars/$KREL/vars.ko" && rmmod vars
dmesg | grep -o 'vars: written.*' | tail -n 1
