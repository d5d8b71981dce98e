# Input of a hostile client to tapd, each on a separate connection; prints the answers.
#	hostile.py MODULE SEED COUNT	all of it, and COUNT damaged modules
#	hostile.py MODULE leave COUNT	loads whose answers are not read, except for one without limits
import array, errno, os, random, socket, struct, sys, time

MAGIC, LOAD, ATTACH, REMOVE, BYTES = 0x64706174, 1, 2, 3, 6
RENAME = 1
PIECE = 8000
module = open(sys.argv[1], 'rb').read()

if 'RUN_AS' in os.environ:	# where only root can start Python
	user = int(os.environ['RUN_AS'])
	os.setgroups([])
	os.setresgid(user, user, user)
	os.setresuid(user, user, user)

def connect():
	s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
	s.settimeout(30 * int(os.environ.get('SLOW', 1)))
	s.connect(os.environ['TAPD_SOCKET'])
	return s

def version_of(name):
	with open(os.environ['SRC'] + '/runtime/abi/tap_version.h') as header:
		return int(next(line.split()[2].rstrip('u') for line in header if line.startswith('#define ' + name)))

VERSION = version_of('TAPD_VERSION')

def head(kind, magic=MAGIC, version=VERSION, flags=0):
	return struct.pack('=IHBB', magic, version, kind, flags)

def answers(s):
	lines = []
	while True:
		try:
			packet = s.recv(65536)
		except ConnectionResetError:
			continue		# it has not read everything; its answer is still available
		except OSError:
			return lines + ['nothing']
		if not packet:
			return lines + ['closed']
		kind = packet[6]
		if kind == 64:
			lines.append(packet[9:].decode('utf-8', 'replace'))
		elif kind == 66:
			return lines + ['done %d' % packet[8]]
		else:
			return lines + ['kind %d' % kind]

def ask(what, packet, fds=(), more=()):
	s = connect()
	rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', fds))] if fds else []
	try:
		s.sendmsg([packet], rights)
		for packet in more:
			s.sendmsg([packet])
	except PermissionError:
		s.send(b't')		# since Linux 6.16 tapd can forbid descriptors
	except (BrokenPipeError, ConnectionResetError):
		pass			# it has answered already
	print(what + ':', ' | '.join(answers(s)))
	s.close()

def load(size, flags=0):
	return head(LOAD, flags=flags) + struct.pack('=Q', size)

def pieces(data):
	return [head(BYTES) + data[at:at + PIECE] for at in range(0, len(data), PIECE)]

def send_module(data, flags=0):
	s = connect()
	try:
		for packet in [load(len(data), flags)] + pieces(data):
			s.send(packet)
	except (BrokenPipeError, ConnectionResetError):
		pass
	return s

if sys.argv[2] == 'leave':
	s = send_module(module, RENAME)
	fds = array.array('i', s.recvmsg(65536, 64)[1][0][2])
	try:
		os.write(fds[0], struct.pack('=4sHHIIIQII', b'tap1', version_of('TAP_WIRE_VERSION'), 9, 24, os.getuid(), 0, 0, 1, 0))	# TAP_OWN
		print('no limits any more')
	except OSError as e:
		print('limits:', errno.errorcode[e.errno])
	s.close()
	for fd in fds:
		os.close(fd)
	for i in range(int(sys.argv[3])):
		s = send_module(module, RENAME)
		time.sleep(i * 0.02)
		s.close()
	sys.exit()

# of another kernel, whose name would be a line in the log
at = module.index(b'vermagic=') + len(b'vermagic=')
forged = b'x\nload\tmodule=forged '
s = send_module(module[:at] + forged + module[at + len(forged):])
print('a forged line:', ' | '.join(answers(s)).replace(os.uname().release, 'RELEASE'))

def ask_module(what, data):
	print(what + ':', ' | '.join(answers(send_module(data))))

pipe = os.pipe()
ask('a byte', b't')
ask('half a head', head(LOAD)[:7])
ask('no size', head(LOAD))
ask('a pipe', load(len(module)), [pipe[0]])
ask('a file', load(len(module)), [os.open(sys.argv[1], os.O_RDONLY)])
ask('many descriptors', load(len(module)), [0] * 50)
ask('too much', load(1 << 40))
ask('not all of it', load(len(module)), more=pieces(module[:len(module) // 2]) + [head(REMOVE)])
ask('more than all', load(len(module) - 1), more=pieces(module))
ask('empty pieces', load(len(module)), more=[head(BYTES)])
ask_module('nothing in it', b'')
ask_module('no ELF', b'x' * 100000)
ask_module('half of it', module[:len(module) // 2])
ask('another version', head(LOAD, version=VERSION ^ 1))
ask('no magic', head(LOAD, magic=0))
ask('no request', head(99))
ask('a path', head(ATTACH) + b'../../etc/passwd')
ask('another module', head(REMOVE) + b'overlay')
ask('a zero', head(REMOVE) + b'over\0lay')
ask('long name', head(REMOVE) + b'n' * 4000)

# copies with some bytes changed
random.seed(int(sys.argv[2]))
for i in range(int(sys.argv[3])):
	bad = bytearray(module)
	for at in range(random.randrange(1, 4)):
		bad[random.randrange(0, 64 if i % 2 else len(bad))] = random.randrange(256)
	s = send_module(bytes(bad))
	answers(s)
	s.close()

# many silent ones, and one that is still served
idle = [connect() for i in range(60)]
ask('beside idle ones', head(99))
