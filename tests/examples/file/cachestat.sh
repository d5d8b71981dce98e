# All 256 pages of a RAM disk, read by two programs: they are read into memory for the first one.
modprobe brd rd_nr=1 rd_size=1024
exec 3</dev/ram0
for name in first second; do
	cp /bin/dd ./$name
	./$name --version >/dev/null
done
./first if=/dev/ram0 of=/dev/null bs=4k count=256 status=none
./second if=/dev/ram0 of=/dev/null bs=4k count=256 status=none
exec 3<&-
rmmod brd
