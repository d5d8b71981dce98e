# shellcheck shell=bash
# Two network namespaces on a veth with a VLAN; datagrams to ports, over IPv4 and IPv6, from pages, and with a tag.
modprobe -a veth 8021q
exec python3 -c '
import ctypes, os, socket, subprocess

libc = ctypes.CDLL(None, use_errno=True)

def new_space():
	if libc.unshare(0x40000000):
		raise OSError(ctypes.get_errno(), "unshare")
	return os.open("/proc/self/ns/net", os.O_RDONLY)

def enter(space):
	if libc.setns(space, 0):
		raise OSError(ctypes.get_errno(), "setns")

def ip(words):
	subprocess.check_call(["ip"] + words.split())

right = new_space()
p = subprocess.Popen(["sleep", "1000"])
left = new_space()
ip("link add name left0 address 02:00:00:00:00:01 type veth peer name right0 address 02:00:00:00:00:02 netns %d" % p.pid)
p.kill()
p.wait()
for space, name, n in (left, "left0", 2), (right, "right0", 1):
	enter(space)
	ip("link set %s mtu 60000 up" % name)
	ip("link set lo up")
	ip("addr add 10.1.0.%d/24 dev %s" % (n, name))
	ip("addr add fd01::%d/64 dev %s nodad" % (n, name))
	ip("link add link %s name %s.7 type vlan id 7" % (name, name))
	ip("addr add 10.7.0.%d/24 dev %s.7" % (n, name))
	ip("link set %s.7 up" % name)
enter(right)
sinks = {}
for port in 5001, 5002, 5003:
	sinks[port] = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
	sinks[port].setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
	sinks[port].bind(("::", port))

def send(space, to, port, data, pages=False):
	enter(space)
	s = socket.socket(socket.AF_INET6 if ":" in to else socket.AF_INET, socket.SOCK_DGRAM)
	s.connect((to, port))
	if pages:
		with open("/tmp/filter.data", "wb+") as f:
			f.write(data)
			f.flush()
			f.seek(0)
			os.sendfile(s.fileno(), f.fileno(), 0, len(data))
	else:
		s.send(data)
	if len(sinks[port].recv(65536)) != len(data):
		raise SystemExit("a datagram was cut")

for i in range(3):
	send(left, "10.1.0.1", 5001, b"a" * 100)
for i in range(2):
	send(left, "fd01::1", 5001, b"b" * 200)
send(left, "10.7.0.1", 5002, b"x")
send(right, "10.1.0.1", 5001, b"y")		# by lo
send(right, "10.1.0.1", 5003, b"c" * 40000, True)
'
