# run from the top of the source tree: it needs tests/lib
. "${SRC:-.}/tests/lib/nfs-loopback.sh"
nfs_serve
nfs_mount
for n in 1 2 3 4 5; do echo "$n" >mnt/file$n; done
for n in 1 2 3 4; do mv mnt/file$n mnt/new$n; done
rm mnt/new1 mnt/new2 mnt/new3
umount mnt
nfs_unserve
