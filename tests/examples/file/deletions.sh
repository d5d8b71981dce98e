mkdir -p m
mount -t tmpfs none m
mkdir m/folder
touch m/folder/one m/folder/two
rm m/folder/one
rm -r m/folder
umount m
