# dd reads and writes 1000 blocks.
dd if=/dev/zero of=/dev/null bs=512 count=1000 2>/dev/null
