dd if=/dev/zero of=/dev/null bs=300 count=555 status=none
