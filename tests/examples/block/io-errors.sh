# A null device with two bad sectors.
modprobe null_blk nr_devices=0
mount -t configfs configfs /sys/kernel/config 2>/dev/null
cd /sys/kernel/config/nullb || exit
mkdir nullb0
echo 16 >nullb0/size
echo 1 >nullb0/memory_backed
echo +64-65 >nullb0/badblocks
echo 1 >nullb0/power
dd if=/dev/nullb0 of=/dev/null bs=4k count=1 skip=8 iflag=direct 2>/dev/null
dd if=/dev/zero of=/dev/nullb0 bs=512 count=1 seek=65 oflag=direct 2>/dev/null
dd if=/dev/nullb0 of=/dev/null bs=4k count=1 skip=9 iflag=direct 2>/dev/null
rmdir nullb0
rmmod null_blk
