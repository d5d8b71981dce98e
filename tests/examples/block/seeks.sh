# Sixteen consecutive blocks, then eight that are 1 MB apart.
modprobe null_blk nr_devices=1
dd if=/dev/nullb0 of=/dev/null bs=4k count=16 iflag=direct status=none
for i in 1 2 3 4 5 6 7 8; do
	dd if=/dev/nullb0 of=/dev/null bs=4k count=1 skip=$((i * 256)) iflag=direct status=none
done
rmmod null_blk
