# A null device that needs 2 ms for each request: 20 writes of 8 KB, 30 reads of 4 KB.
modprobe null_blk nr_devices=1 irqmode=2 completion_nsec=2000000
dd if=/dev/zero of=/dev/nullb0 bs=8k count=20 oflag=direct status=none
dd if=/dev/nullb0 of=/dev/null bs=4k count=30 iflag=direct status=none
rmmod null_blk
