# 50 writes of 1000 bytes to one file, copied to another in pieces of 4096 bytes.
dd if=/dev/zero of=first bs=1000 count=50 status=none
dd if=first of=second bs=4096 status=none
