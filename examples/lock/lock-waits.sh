# Two programs write to one file at the same time, 4 MB at once: the file's lock is for one alone.
mkdir -p m
mount -t tmpfs none m
write() { for i in 1 2 3 4 5 6 7 8; do dd if=/dev/zero of=m/file bs=4M count=8 conv=notrunc status=none; done; }
write &
write
wait
umount m
