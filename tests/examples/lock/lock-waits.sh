# A program writes to a frozen file system: it waits for the lock that blocks all writers.
modprobe -a loop ext4
truncate -s 8M disk
mkfs.ext4 -q disk
mkdir -p m
mount -o loop disk m
fsfreeze -f m
dd if=/dev/zero of=m/file bs=4k count=1 status=none &
until grep -q '^State:.*D' /proc/$!/status; do sleep 0.1; done
sleep 0.2
fsfreeze -u m
wait
umount m
