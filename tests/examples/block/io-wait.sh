# Ten reads of a disk that needs 20 ms for each, and pages of the program that are not in memory.
modprobe null_blk nr_devices=1 irqmode=2 completion_nsec=20000000
dd if=/dev/zero of=/dev/null count=1 status=none
dd if=/dev/nullb0 of=/dev/null bs=4k count=10 iflag=direct status=none
rmmod null_blk
