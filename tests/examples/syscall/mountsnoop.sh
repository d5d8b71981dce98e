# A tmpfs is mounted and unmounted.
dir=$(mktemp -d)
mount -t tmpfs -o size=64k snooped "$dir"
umount "$dir"
rmdir "$dir"
