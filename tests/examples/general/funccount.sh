dd if=/dev/zero of=/dev/null bs=1 count=900 status=none
