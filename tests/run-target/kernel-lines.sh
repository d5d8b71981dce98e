rmmod dummy 2>/dev/null
printf 'the quick brown fox jumps over' >animals
dd if=animals of=/dev/null bs=13 count=3 status=none
dd if=/dev/zero of=/dev/null bs=1 count=1234 status=none
mkdir -m 700 mine ours
rmdir mine ours
busybox cat animals >/dev/null
modprobe dummy numdummies=2
rmmod dummy
