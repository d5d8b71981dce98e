#!/bin/bash
# Debug information from a debuginfod server: on a terminal a line shows how many of the bytes have arrived, and is erased at the end; nothing is shown elsewhere and with --quiet
# sanitizers: no
for tool in debuginfod python3 gcc objcopy strip; do
	type -P $tool >/dev/null || { echo "no $tool"; exit 77; }
done
grep -q HAVE_DEBUGINFOD "$BUILD/config.status" || { echo "built without debuginfod"; exit 77; }
printf 'int twice(int number) { return 2 * number; }\nint main(int argc, char **argv) { (void)argv; return twice(argc); }\n' >item.c
gcc -g -O0 -o item item.c || exit
head -c 3000000 /dev/urandom >pad
mkdir served
objcopy --only-keep-debug item served/item.debug && objcopy --add-section .debug_pad=pad served/item.debug && strip item || exit
exec timeout 250 python3 - <<'END'
import glob, http.server, os, pty, select, socket, subprocess, sys, threading, time, urllib.error, urllib.request

def free_port():
	with socket.socket() as s:
		s.bind(('127.0.0.1', 0))
		return s.getsockname()[1]

port = free_port()
server = subprocess.Popen(['debuginfod', '-d', ':memory:', '-p', str(port), '-F', 'served'], stdout=subprocess.DEVNULL,
	stderr=open('server.log', 'w'))
go_on = threading.Event()

# Between tapc and the server: passes on the first half of a file, and the other one when it may.
class Proxy(http.server.BaseHTTPRequestHandler):
	def do_GET(self):
		try:
			answer = urllib.request.urlopen(f'http://127.0.0.1:{port}{self.path}')
		except urllib.error.HTTPError as e:
			self.send_error(e.code)
			return
		data = answer.read()
		self.send_response(200)
		for name, value in answer.headers.items():
			if name.lower() not in ('connection', 'transfer-encoding', 'content-length'):
				self.send_header(name, value)
		self.send_header('Content-Length', str(len(data)))
		self.end_headers()
		self.wfile.write(data[:len(data) // 2])
		self.wfile.flush()
		go_on.wait(120)
		self.wfile.write(data[len(data) // 2:])
	def log_message(self, *args):
		pass

def fail(*what):
	print(*what)
	print(open('server.log').read()[-2000:])
	server.kill()
	sys.exit(1)

note = subprocess.run(['readelf', '-n', 'item'], stdout=subprocess.PIPE, text=True).stdout
build_id = note.split('Build ID: ')[1].split()[0]
for attempt in range(600):	# until the server has read its folder
	try:
		size = len(urllib.request.urlopen(f'http://127.0.0.1:{port}/buildid/{build_id}/debuginfo').read())
		break
	except (urllib.error.URLError, OSError):
		time.sleep(0.1)
else:
	fail('the server has no file')
if size < 3000000:
	fail('the file has', size, 'bytes')
proxy = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Proxy)
proxy.daemon_threads = True
threading.Thread(target=proxy.serve_forever, daemon=True).start()

def environment(cache, term):
	return dict(os.environ, DEBUGINFOD_URLS=f'http://127.0.0.1:{proxy.server_address[1]}', DEBUGINFOD_CACHE_PATH=os.path.abspath(cache),
		XDG_CACHE_HOME=os.path.abspath('xdg'), TERM=term, LC_ALL='C')

command = [os.environ['TAPC'], '-L', f'process("{os.path.abspath("item")}").function("twice")']

# on_terminal CACHE TERM SHOWN OPTION...: what it writes to a terminal; the second half follows when SHOWN has appeared
def on_terminal(cache, term, shown, *options):
	go_on.clear()
	ours, its = pty.openpty()
	child = subprocess.Popen(command + list(options), env=environment(cache, term), stdin=its, stdout=open('out', 'w'), stderr=its)
	os.close(its)
	seen = b''
	end = time.monotonic() + 100
	while time.monotonic() < end:
		if shown in seen:
			go_on.set()
		if select.select([ours], [], [], 1)[0]:
			try:
				seen += os.read(ours, 4096)
			except OSError:
				break
	if child.wait() or '$number:int' not in open('out').read():
		fail('status', child.returncode, seen, open('out').read())
	return seen

half = b'fetching debug information from a debuginfod server: %.1f of %.1f MB' % (size // 2 / 1e6, size / 1e6)
seen = on_terminal('first', 'xterm', half)
if half not in seen or seen.rfind(b'\r\033[K') < seen.rfind(b'fetching') or b'\n' in seen[seen.find(b'fetching'):seen.rfind(b'MB')]:
	fail('on a terminal', half, seen)
line = b'tapc: fetching debug information from a debuginfod server ...\r\n'
seen = on_terminal('second', 'dumb', line)
if seen.count(line) != 1 or b' MB' in seen:
	fail('on a terminal that cannot move', seen)
seen = on_terminal('third', 'xterm', b'', '--quiet')
if b'fetching' in seen:
	fail('--quiet', seen)
go_on.set()
run = subprocess.run(command, env=environment('fourth', 'xterm'), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
if run.returncode or b'$number:int' not in run.stdout or run.stderr:
	fail('not on a terminal', run)
if not glob.glob('fourth/*/debuginfo'):
	fail('the file is not in the cache of debuginfod')
server.terminate()
server.wait()
END
