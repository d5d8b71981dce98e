exec python3 -c '
import os, time
for i in range(1000):
	if i == 500:
		time.clock_settime(time.CLOCK_REALTIME, time.time() - 1000)
	try:
		os.chdir("/%d/%d" % (time.clock_gettime_ns(time.CLOCK_REALTIME), time.clock_gettime_ns(time.CLOCK_MONOTONIC)))
	except OSError:
		pass
'
