# A reader waits for each of three bytes, which are written 20 ms apart.
python3 -c '
import ctypes, os, time
prctl = ctypes.CDLL(None).prctl
out, into = os.pipe()
child = os.fork()
prctl(15, b"writer" if child else b"reader", 0, 0, 0)
if child:
	for i in range(3):
		time.sleep(0.02)
		os.write(into, b"x")
	os.waitpid(child, 0)
else:
	for i in range(3):
		os.read(out, 1)
	os._exit(0)
'
