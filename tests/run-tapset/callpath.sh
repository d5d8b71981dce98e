#!/bin/bash
# In which function a system call's error began: calls that fail for known reasons. A missed return is reported.

# CALL ERROR FUNCTION: FUNCTION is a regular expression, as the functions of kernels differ
expected='mkdir EROFS (__)?mnt_want_write|mnt_get_write_access
mkdir EEXIST filename_create
rmdir ENOTEMPTY shmem_rmdir
unlink EISDIR may_delete
rename EXDEV do_renameat2
umount EINVAL path_umount|can_umount
readlink ENOENT step_into|walk_component|path_lookupat
write ENOSPC shmem_alloc_and_(acct|add)_folio|shmem_inode_acct_blocks|__vm_enough_memory
pwrite EFBIG generic_write_check_limits
write EPIPE (anon_)?pipe_write
read EAGAIN (anon_)?pipe_read
read EISDIR generic_read_dir
lseek ESPIPE ksys_lseek|__x64_sys_lseek
connect ECONNREFUSED __inet_stream_connect
wait4 ECHILD (__)?do_wait
access EFAULT getname_flags|strncpy_from_user|do_getname
kill ESRCH kill_pid_info(_type)?
dup EMFILE alloc_fd
mmap2? ENOMEM mmap_region|__mmap_region
openat EACCES generic_permission
chmod EPERM cap_capable
sethostname EPERM cap_capable
kill EPERM cap_capable
clone EAGAIN copy_process
getpriority EOVERFLOW __seccomp_filter'

ip link set lo up || exit
"$TAPRUN" -c ./denied ./t_why.ko >why 2>why.err || { cat why.err; exit 1; }
awk '/^denied\(/ { sub(/\(.*/, "", $2); gsub(/[()]/, "", $NF); call = $2 " " $NF; next }
     /^  -> / { sub(/\(.*/, "", $2); if (call != "") print call, $2; call = "" }' why | uniq >found
bad=0
while read -r call error function; do
	grep -qxE "$call $error ($function)" found || { echo "not found: $call $error $function"; bad=1; }
done <<<"$expected"
((bad == 0)) || { cat found; exit 1; }
! grep -n incomplete why || exit
grep -A 3 'getpriority(.*(EOVERFLOW)$' why | grep -q 'refused before the system call began' || exit
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
