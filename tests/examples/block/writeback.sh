# A file of 200 pages in a separate file system; sync writes it.
modprobe brd rd_nr=1 rd_size=8192
mkfs.ext4 -q -O ^has_journal /dev/ram0
mkdir -p m
mount /dev/ram0 m
dd if=/dev/zero of=m/file bs=4k count=200 status=none
stat -c 'the file is inode %i' m/file
sync -f m
umount m
rmmod brd
