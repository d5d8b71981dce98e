# 16 MB of a RAM disk are read in a control group limited to 6 MB.
modprobe brd rd_nr=1 rd_size=16384
echo +memory >/sys/fs/cgroup/cgroup.subtree_control
group=/sys/fs/cgroup/gallery
mkdir $group
echo 6M >$group/memory.max
sh -c "echo \$\$ >$group/cgroup.procs; exec dd if=/dev/ram0 of=/dev/null bs=64k status=none"
rmdir $group
rmmod brd
