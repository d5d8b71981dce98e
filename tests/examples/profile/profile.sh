# One processor runs a shell, the other one mostly the kernel, for dd, until the shell has done its work.
dd if=/dev/zero of=/dev/null bs=1M status=none &
sh -c 'i=0; while [ $i -lt 150000 ]; do i=$((i + 1)); done'
kill $!
