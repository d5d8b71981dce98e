mkdir /dev/shm/t_lines && rmdir /dev/shm/t_lines
modprobe dummy numdummies=1
cat /sys/class/net/dummy0/statistics/tx_packets >/dev/null
rmmod dummy
