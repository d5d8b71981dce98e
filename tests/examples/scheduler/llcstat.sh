dd if=/dev/zero of=/dev/null bs=16M count=4 status=none
