python3 -c '
import ctypes, time
ctypes.CDLL(None).prctl(15, b"sleeper", 0, 0, 0)
for i in range(10):
    time.sleep(0.02)
'
