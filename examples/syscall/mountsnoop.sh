# A file system in memory comes and goes.
dir=$(mktemp -d)
mount -t tmpfs -o size=64k snooped "$dir"
umount "$dir"
rmdir "$dir"
