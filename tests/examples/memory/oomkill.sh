# A control group of 30 MB, and a process in it that needs 200 MB.
mkdir -p groups
mount -t cgroup2 none groups
echo +memory >groups/cgroup.subtree_control
mkdir groups/small
echo 30000000 >groups/small/memory.max
echo 0 >groups/small/memory.swap.max 2>/dev/null
{ sh -c 'echo $$ >groups/small/cgroup.procs; exec python3 -c "
import ctypes
ctypes.CDLL(None).prctl(15, b\"glutton\", 0, 0, 0)
x = b\"x\" * 200000000"'; } 2>/dev/null
rmdir groups/small
umount groups
