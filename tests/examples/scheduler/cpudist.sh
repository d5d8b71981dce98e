# Twenty sleeps, each followed by 5 ms of CPU time.
python3 -c '
import ctypes, os, time
ctypes.CDLL(None).prctl(15, b"worker", 0, 0, 0)
for i in range(20):
	end = time.process_time() + 0.005
	while time.process_time() < end:
		pass
	time.sleep(0.005)
'
