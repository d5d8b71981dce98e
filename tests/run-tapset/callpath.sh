#!/bin/bash
# In which function a system call's error began: calls that fail for known reasons. A missed return is reported.
# default: no
# hardened: no, clang inlines other functions

# CALL ERROR FUNCTION: FUNCTION is a regular expression, as the functions of kernels differ, by their sources, and by what
# the compiler has inlined or split. inet_csk_accept and ext4_mb_new_blocks store the error through a pointer, so their
# callers are named.
expected='mkdir EROFS (__)?mnt_want_write|mnt_get_write_access
mkdir EEXIST filename_create
rmdir ENOTEMPTY shmem_rmdir
unlink EISDIR may_delete
rename EXDEV do_renameat2
umount EINVAL path_umount|can_umount
readlink ENOENT step_into|walk_component|path_lookupat
write ENOSPC shmem_alloc_and_(acct|add)_folio|shmem_get_folio_gfp|shmem_inode_acct_blocks|__vm_enough_memory
pwrite EFBIG generic_write_check_limits
write EPIPE (anon_)?pipe_write
read EAGAIN (anon_)?pipe_read
read EISDIR generic_read_dir
lseek ESPIPE ksys_lseek|__x64_sys_lseek
connect ECONNREFUSED __inet_stream_connect
wait4 ECHILD (__)?do_wait
access EFAULT getname_flags(.part.0)?|strncpy_from_user|do_getname
kill ESRCH kill_pid_info(_type)?
dup EMFILE alloc_fd
mmap2? ENOMEM mmap_region|__mmap_region
openat EACCES generic_permission
chmod EPERM cap_capable
sethostname EPERM cap_capable
kill EPERM cap_capable
clone EAGAIN copy_process
getpriority EOVERFLOW __seccomp_filter
openat ELOOP step_into|pick_link
openat ENAMETOOLONG getname_flags(.part.0)?
chdir ENAMETOOLONG simple_lookup
mkdir ENOTDIR link_path_walk.part.0.constprop.0
rmdir EBUSY vfs_rmdir
umount EBUSY path_umount|do_umount
openat ENXIO fifo_open
getcwd ERANGE __x64_sys_getcwd
getxattr ENODATA simple_xattr_get
setxattr E2BIG setxattr_copy
execve ENOEXEC load_elf_binary
execve ETXTBSY do_open_execat
execve E2BIG copy_strings(.isra.0)?
bind EADDRINUSE inet_csk_get_port
accept EINVAL inet_accept
recvfrom ENOTCONN tcp_recvmsg_locked
sendto EMSGSIZE udp_sendmsg
connect ENETUNREACH ip_route_output_key_hash_rcu
socket EAFNOSUPPORT __sock_create
inotify_add_watch ENOSPC inotify_update_watch|inotify_new_watch
inotify_init1 EMFILE do_inotify_init|inotify_new_group
epoll_ctl EEXIST do_epoll_ctl
msgget ENOSPC ipc_addid
flock EAGAIN flock_lock_inode
futex ETIMEDOUT (__)?futex_wait
futex EAGAIN futex_wait_setup
pwrite ENOSPC ext4_ext_map_blocks
write EDQUOT dquot_add_space
add_key EDQUOT key_alloc
chroot EPERM cap_capable
setuid EPERM cap_capable
ptrace EPERM cap_capable
setpriority EACCES set_one_prio
mlock EPERM cap_capable'

ip link set lo up || exit
# a small disk with quotas
modprobe -a loop ext4 quota_v2 || exit
truncate -s 4M disk
mkfs.ext4 -q -O quota disk && device=$(losetup -f) && losetup "$device" disk || exit
mkdir -p /tmp/denied-disk
trap 'umount /tmp/denied-disk; losetup -d "$device"' EXIT
mount -o usrquota "$device" /tmp/denied-disk && chmod 777 /tmp/denied-disk || exit
"$TAPRUN" -c "./denied $device" ./t_why.ko >why 2>why.err || { cat why.err; exit 1; }
awk '/^denied\(/ { sub(/\(.*/, "", $2); gsub(/[()]/, "", $NF); call = $2 " " $NF; next }
     /^  -> / { sub(/\(.*/, "", $2); if (call != "") print call, $2; call = "" }' why | uniq >found
bad=0
while read -r call error function; do
	grep -qxE "$call $error ($function)" found || { echo "not found: $call $error $function"; bad=1; }
done <<<"$expected"
((bad == 0)) || { cat found; exit 1; }
! grep -n incomplete why || exit
grep -A 4 'getpriority(.*(EOVERFLOW)$' why | grep -q 'refused before the system call began' || exit
grep -qE '^  by do_mkdirat\(dfd=-100, .*\) = -EROFS, [0-9]+ us$' why || { grep -A 9 'mkdir(.*(EROFS)$' why; exit 1; }
cat why.err
[[ ! -s why.err ]] || exit

# a call of a kernel function that is slow
"$TAPRUN" -c 'sleep 0.1' ./t_slow.ko slower=50000 >slow || exit
grep -A 1 '^sleep([0-9]*) hrtimer_nanosleep$' slow | grep -qE '^  -> do_nanosleep\(.*\), [0-9]{5,6} us$' || { cat slow; exit 1; }
! grep incomplete slow || exit

# while one thread waits in the only call whose return can be recorded, that of another one is missed
mkfifo /tmp/callpath.fifo
touch secret
chmod 600 secret
cat >both <<-'END'
	chroot --userspec=65534:65534 / cat "$PWD/secret" 2>refused
	cat /tmp/callpath.fifo &
	for i in $(seq 50); do ! grep -q -e wait_for_partner -e fifo_open /proc/$!/wchan || break; sleep 0.1; done
	chroot --userspec=65534:65534 / cat "$PWD/secret" 2>refused
	echo >/tmp/callpath.fifo
	wait
END
"$TAPRUN" -w -c "sh both" ./t_gap.ko >gap
cat gap
[[ $(sed 's/__[a-z0-9]*_sys/sys/; /^$/d' gap) = 'sys_openat, 3 calls, 0 missed
sys_openat, 2 calls, 1 missed' ]]
