# One fsync, one fdatasync, one sync of everything.
file=$(mktemp)
dd if=/dev/zero of="$file" bs=4k count=4 conv=fsync 2>/dev/null
dd if=/dev/zero of="$file" bs=4k count=4 conv=fdatasync 2>/dev/null
sync
rm "$file"
