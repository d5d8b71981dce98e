exec python3 -c '
import os, time, mmap
for i in range(10):
	os.sched_setaffinity(0, {i % 2})
for i in range(30):
	time.sleep(0.002)
area = mmap.mmap(-1, 4096 * 51)
for i in range(51):
	area[4096 * i] = 1
child = os.fork()
if not child:
	for i in range(21):
		area[4096 * i] = 2
	os._exit(0)
os.waitpid(child, 0)
del area
'
