modprobe -a loop ext4 minix
mkdir r e m
mount -t ramfs none r
dd if=/dev/zero of=ext4.img bs=1M count=4 status=none
mke2fs -q -t ext4 -O ^has_journal ext4.img && mount -o loop ext4.img e
dd if=/dev/zero of=minix.img bs=1k count=1000 status=none
mkfs.minix minix.img >made
mount -o loop minix.img m
printf 12345 >e/five
printf 123456 >m/six
python3 -c '
import mmap, os, pty
f = os.open("r/f", os.O_RDWR | os.O_CREAT)
os.writev(f, [b"ab", b"cde"])
os.lseek(f, 3, os.SEEK_SET)
os.write(f, b"x" * 100)
os.preadv(f, [bytearray(2), bytearray(9)], 0)
os.pread(f, 7, 1)
p = os.pipe()
os.splice(f, p[1], 50, offset_src=0, flags=4)
os.ftruncate(f, 0)
os.close(os.open("e/five", os.O_RDWR | os.O_APPEND))
six = os.open("m/six", os.O_RDWR)
mmap.mmap(six, 6)[0] = 50
os.ftruncate(six, 0)
master, slave = pty.openpty()
os.write(slave, b"hello")
os.write(master, b"a line\n")
os.read(slave, 20)
'
umount r e m
