sleep 60 &
mkdir /sys/fs/cgroup/gallery
echo $! >/sys/fs/cgroup/gallery/cgroup.procs
echo $! >/sys/fs/cgroup/cgroup.procs
kill $!
wait
rmdir /sys/fs/cgroup/gallery
