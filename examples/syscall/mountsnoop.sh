# A file system in memory comes and goes; one of a kind that there is not does not come.
dir=$(mktemp -d)
mount -t tmpfs -o size=64k snooped "$dir"
umount "$dir"
mount -t nosuchfs none "$dir" 2>/dev/null
rmdir "$dir"
