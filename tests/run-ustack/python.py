# The program of python.sh: prints its own stacks as the interpreter shows them, and asks for its parent's number right
# after that, on the same line. With the argument `busy` it runs for six seconds.
import asyncio, os, sys, threading, time

def shown(frame):
	out = []
	while frame:
		code = frame.f_code
		out.append(' %s at %s:%d\n' % (code.co_qualname, code.co_filename, frame.f_lineno or 0))
		frame = frame.f_back
	sys.stdout.write('--- %d\n%s' % (threading.get_native_id(), ''.join(out)))
	sys.stdout.flush()

class Worker:
	def run(self, n):
		return self.deep(n)

	def deep(self, n):
		if n:
			return self.deep(
				n - 1)
		call = lambda: [shown(sys._getframe()) or os.getppid() for _ in range(1)]
		return (
			call
		)()

	@property
	def value(self):
		shown(sys._getframe()); os.getppid()

	def __del__(self):
		shown(sys._getframe()); os.getppid()

def generator():
	yield 1
	shown(sys._getframe()); os.getppid()
	yield from (shown(sys._getframe()) or os.getppid() for _ in range(2))

async def inner():
	await asyncio.sleep(0)
	shown(sys._getframe()); os.getppid()

async def outer():
	await asyncio.gather(inner(), inner())

def failing():
	try:
		raise KeyError
	except KeyError:
		shown(sys._getframe()); os.getppid()
	finally:
		shown(sys._getframe()); os.getppid()

def größe_шрифта_字():
	shown(sys._getframe()); os.getppid()

def child(work):
	pid = os.fork()
	if not pid:
		work()
		os._exit(0)
	os.waitpid(pid, 0)

def long_function():
	lines = ['def far():', '\tn = 0'] + ['\tn += %d' % i for i in range(3000)]
	lines += ['\tshown(sys._getframe()); os.getppid()', '', ''] + [''] * 70000 + ['\twhile n:']
	lines += ['\t\tshown(sys._getframe()); os.getppid()', '\t\tbreak']
	exec(compile('\n'.join(lines), 'a\U0001f600;b\x1b[1m.py', 'exec'), globals())
	far()

def stacks():
	Worker().run(3)
	list(generator())
	asyncio.run(outer())
	failing()
	größe_шрифта_字()
	sorted([2, 1], key=lambda v: shown(sys._getframe()) or os.getppid())
	exec('class A:\n\n\n  shown(sys._getframe()); os.getppid()')
	long_function()
	threads = [threading.Thread(target=Worker().run, args=(n,)) for n in range(3)]
	for t in threads:
		t.start()
		t.join()
	child(lambda: Worker().run(1))
	Worker().value

def spin_a(until):
	while time.monotonic() < until:
		sum(range(500))

def spin_b(until):
	spin_a(until)

while not os.path.exists('known'):	# the interpreter's tables have not arrived
	os.getsid(0)
	time.sleep(0.1)
if sys.argv[1:] == ['busy']:
	for _ in range(3):
		spin_a(time.monotonic() + 1)
		spin_b(time.monotonic() + 1)
else:
	shown(sys._getframe()); os.getppid()
	stacks()
