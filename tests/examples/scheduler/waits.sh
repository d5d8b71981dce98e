# A reader waits for each of ten bytes, which a relay passes on from a writer that sleeps for 30 ms each time.
python3 -c '
import ctypes, os, time
prctl = ctypes.CDLL(None).prctl
a, b = os.pipe(), os.pipe()
def run(name, step):
	child = os.fork()
	if not child:
		prctl(15, name, 0, 0, 0)
		for i in range(10):
			step()
		os._exit(0)
	return child
def relay():
	os.read(a[0], 1)
	os.write(b[1], b"x")
def write():
	time.sleep(0.03)
	os.write(a[1], b"x")
run(b"reader", lambda: os.read(b[0], 1))
run(b"relay", relay)
run(b"writer", write)
for i in range(3):
	os.wait()
'
