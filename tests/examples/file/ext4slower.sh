# A RAM disk whose requests take 15 ms: five reads that bypass the page cache.
modprobe ext4
modprobe null_blk nr_devices=0
mount -t configfs configfs /sys/kernel/config 2>/dev/null
disk=/sys/kernel/config/nullb/nullb0
mkdir $disk m
echo 16 >$disk/size
echo 1 >$disk/memory_backed
echo 2 >$disk/irqmode
echo 15000000 >$disk/completion_nsec
echo 1 >$disk/power
mkfs.ext4 -q -b 4096 -N 16 -O ^has_journal,^resize_inode /dev/nullb0
mount /dev/nullb0 m
dd if=/dev/zero of=m/slow bs=4k count=5 conv=fsync status=none
dd if=m/slow of=/dev/null bs=4k iflag=direct status=none
umount m
rmdir $disk
rmmod null_blk
