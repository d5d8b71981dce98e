exec python3 -c '
import os, time
def shift(seconds):
	time.clock_settime(time.CLOCK_REALTIME, time.time() + seconds)
for i in range(1000):
	if i == 500:
		shift(-1000)
	try:
		os.chdir("/%d/%d" % (time.clock_gettime_ns(time.CLOCK_REALTIME), time.clock_gettime_ns(time.CLOCK_MONOTONIC)))
	except OSError:
		pass
shift(1000)	# for the tests after this one
'
