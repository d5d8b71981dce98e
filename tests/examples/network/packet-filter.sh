busybox ip link set lo up
busybox ping -q -c 2 -i 0.1 -s 120 127.0.0.1 >/dev/null
busybox ping -q -c 1 -s 64 127.0.0.1 >/dev/null
