#!/bin/bash
# A path that is in no memory cannot be read at a system call's entry, but can at its return: 1,000 of 1,000 in open, connect and execve
# kernels: all
# timeout: 400
. "$SRC/tests/lib/session.sh"
modprobe -a loop ext4 || exit
truncate -s 64M disk && mkfs.ext4 -q -O ^has_journal -b 4096 disk && mkdir mnt && mount -o loop disk mnt || fail "no disk"
trap 'umount mnt' EXIT
./cold make mnt/file && umount mnt && mount -o loop disk mnt || fail "no file"
"$TAPRUN" -c './cold mnt/file >program' -o out ./t_cold.ko 2>err || fail "taprun: $?" "$(cat err out)"
[[ $(<program) = 'open 1000 1000
connect 1000 1000
execve 1000 1000' ]] || fail "not all pages were absent" "$(cat program)"
[[ $(<out) = 'at the return: open 1000
at the return: execve 1000
at the return: connect 1000
not at the entry: 3000' ]] || fail "the results" "$(cat out err)"
