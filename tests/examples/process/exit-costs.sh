dd if=/dev/zero of=/dev/null bs=1000 count=3000 status=none
