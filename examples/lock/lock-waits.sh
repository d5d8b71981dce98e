# Two programs write to one file at the same time, 4 MB at once: the file's lock is for one alone.
mkdir -p m
mount -t tmpfs none m
dd if=/dev/zero of=m/file bs=4M count=8 conv=notrunc status=none &
dd if=/dev/zero of=m/file bs=4M count=8 conv=notrunc status=none
wait
umount m
