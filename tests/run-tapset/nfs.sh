. "$SRC/tests/lib/nfs-loopback.sh"
nfs_serve
nfs_mount
dd if=/dev/zero of=mnt/one bs=8k count=10 status=none
echo 12345 >mnt/two
mv mnt/one mnt/three
umount mnt
# a client with an empty cache
nfs_mount
dd if=mnt/three of=/dev/null bs=4k status=none
rm mnt/two
umount mnt
nfs_unserve
