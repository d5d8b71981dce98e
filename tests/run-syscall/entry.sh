umask 0123
umask 0345
umask 022
dd if=/dev/zero of=/dev/null bs=512 count=100 2>/dev/null
