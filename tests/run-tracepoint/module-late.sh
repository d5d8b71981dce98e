#!/bin/bash
# Tracepoints of a module that is loaded after the start are probed from the first hit, and again when it is reloaded
# kernels: all
# timeout: 360
# hardened: no, it has no ext4 module
# cloud: no, ext4 is not a module there
set -e
[[ -x /sbin/mkfs.ext4 ]] || exit 77
# an earlier test may have mounted such a file system
! grep -q '^ext4 ' /proc/modules || rmmod ext4
truncate -s 4M disk
mkfs.ext4 -q disk
mkdir -p at
cat >work <<'END'
modprobe loop
for i in 1 2; do
	mount -o loop -t ext4 disk at
	for ((j = 0; j < 7; j++)); do touch at/f$i$j; done
	mkdir at/d$i
	umount at
	rmmod ext4
done
END
result=$("$TAPRUN" -c 'bash -e work' ./t_late.ko)
echo "$result"
[[ $result = '16 2 16 16' ]]
