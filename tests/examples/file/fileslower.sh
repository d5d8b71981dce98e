# Three reads and two writes of a disk that needs 20 ms for each request.
modprobe null_blk nr_devices=1 irqmode=2 completion_nsec=20000000
dd if=/dev/nullb0 of=/dev/null bs=4k count=3 iflag=direct status=none
dd if=/dev/zero of=/dev/nullb0 bs=8k count=2 oflag=direct status=none
rmmod null_blk
