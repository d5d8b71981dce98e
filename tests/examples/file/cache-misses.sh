# Two new files, which need one page per 4 KB.
modprobe brd rd_nr=1 rd_size=8192
mkfs.ext4 -q -O ^has_journal /dev/ram0
mkdir -p m
mount /dev/ram0 m
dd if=/dev/zero of=m/first bs=4k count=100 status=none
dd if=/dev/zero of=m/second bs=4k count=30 status=none
umount m
rmmod brd
