# A private mapping of a file of 300 pages, each of which is written to.
mkdir -p m
mount -t tmpfs none m
head -c 1228800 /dev/zero >m/data
python3 -c 'import mmap
f = open("m/data", "rb")
m = mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_COPY)
for at in range(0, len(m), 4096):
	m[at] = 1'
umount m
