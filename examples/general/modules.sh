modprobe dummy
rmmod dummy
