exec python3 -c '
import os, signal, threading
for i in range(7):
	child = os.fork()
	if not child:
		os._exit(3)
	os.waitpid(child, 0)
child = os.fork()
if not child:
	try:
		os.execv("/no/such", ["such"])
	except OSError:
		os.execve("/bin/true", ["true", "-n", "a b"], {"A": "1 2", "B": ""})
os.waitpid(child, 0)
child = os.fork()
if not child:
	os.kill(os.getpid(), signal.SIGSTOP)
	os._exit(3)
os.waitpid(child, os.WUNTRACED)
os.kill(child, signal.SIGCONT)
os.waitpid(child, 0)
signal.signal(signal.SIGUSR1, lambda number, frame: None)
signal.signal(signal.SIGUSR2, signal.SIG_IGN)
for i in range(5):
	os.kill(os.getpid(), signal.SIGUSR1)
for i in range(4):
	os.kill(os.getpid(), signal.SIGUSR2)
signal.pthread_kill(threading.get_ident(), signal.SIGUSR1)
signal.signal(signal.SIGRTMIN + 3, lambda number, frame: None)
os.kill(os.getpid(), signal.SIGRTMIN + 3)
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGXFSZ, signal.SIGHUP])
signal.sigpending()
try:
	os.kill(1, 65)
except OSError:
	pass
'
