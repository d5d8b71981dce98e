# 300 names that exist, 200 that do not: tmpfs does not cache negative entries.
mkdir -p m
mount -t tmpfs none m
: >m/file
cd m || exit
perl -e 'stat "file" for 1 .. 300; stat "none$_" for 1 .. 200'
cd ..
umount m
