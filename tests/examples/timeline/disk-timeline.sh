modprobe loop
dd if=/dev/zero of=disk bs=1M count=1 status=none
device=$(losetup -f)
losetup "$device" disk
dd if=/dev/zero of="$device" bs=8k count=10 seek=1 oflag=direct status=none
dd if="$device" of=/dev/null bs=64k count=3 iflag=direct status=none
losetup -d "$device"
