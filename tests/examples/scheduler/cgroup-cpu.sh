# A group for which the kernel keeps the same count.
group=/sys/fs/cgroup/gallery
mkdir $group
sh -c "echo \$\$ >$group/cgroup.procs; exec perl -e 'use Time::HiRes \"time\"; \$end = time + 0.4; 1 while time < \$end'"
awk '/^usage_usec/ { print "the kernel says", $2 }' $group/cpu.stat
rmdir $group
