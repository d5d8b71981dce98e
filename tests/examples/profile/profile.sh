# One processor runs a shell, the other one mostly the kernel, for dd.
timeout 3 sh -c 'while :; do :; done' &
timeout 3 dd if=/dev/zero of=/dev/null bs=1M status=none
wait
