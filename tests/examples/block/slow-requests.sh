# A disk that needs 20 ms for each request.
modprobe null_blk nr_devices=1 irqmode=2 completion_nsec=20000000
dd if=/dev/nullb0 of=/dev/null bs=16k count=5 skip=10 iflag=direct status=none
rmmod null_blk
