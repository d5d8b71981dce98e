python3 -c '
import os, signal, time
for end in lambda: os._exit(0), lambda: os._exit(42), lambda: os.kill(os.getpid(), signal.SIGTERM):
	child = os.fork()
	if not child:
		time.sleep(0.3)
		end()
	os.waitpid(child, 0)
'
