# Two processes share one CPU for a while: each waits for about half of it.
python3 -c '
import os, time, ctypes
os.sched_setaffinity(0, {0})
child = os.fork()
ctypes.CDLL(None).prctl(15, b"rival" if child else b"other", 0, 0, 0)
end = time.monotonic() + 1
while time.monotonic() < end:
    pass
if child:
    os.waitpid(child, 0)
else:
    os._exit(0)
'
