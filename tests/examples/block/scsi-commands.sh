# a simulated disk
modprobe sd_mod
modprobe scsi_debug dev_size_mb=8 delay=0
until disk=$(ls -d /sys/bus/pseudo/drivers/scsi_debug/adapter0/host*/target*/*/block/* 2>/dev/null); do sleep 0.1; done
name=${disk##*/}
until [ -b "/dev/$name" ]; do sleep 0.1; done
dd if=/dev/zero of="/dev/$name" bs=24k count=7 oflag=direct status=none
dd if="/dev/$name" of=/dev/null bs=40k count=3 iflag=direct status=none
echo offline >"${disk%/block/*}/state"
echo running >"${disk%/block/*}/state"
# the module is busy while the disk is in use
until rmmod scsi_debug 2>/dev/null; do sleep 0.1; done
