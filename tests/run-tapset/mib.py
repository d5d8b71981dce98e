# A client's, a router's and a server's network namespace, and events for each counter; then the kernel's counts.
import gc, os, socket, struct, subprocess, time

import netspaces
from netspaces import enter, ip, new_space, write

keepers = []
first = os.open("/proc/self/ns/net", os.O_RDONLY)

# One that ip(8) can name, through a process that exists until this one exits.
def space_of_process():
	p = subprocess.Popen(["unshare", "-n", "sh", "-c", "echo; exec cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
	p.stdout.readline()
	keepers.append(p)
	return os.open("/proc/%d/ns/net" % p.pid, os.O_RDONLY), p.pid

def counters(space):
	return {name: n for (kind, name), n in netspaces.counters(space).items() if kind in ("Ip", "IpExt", "Tcp", "TcpExt")}

def wait_for(space, name):
	while not counters(space)[name]:
		time.sleep(0.05)

def stream(space):
	enter(space)
	return socket.socket()

before = counters(first)
server = new_space()
ip("link add up1 type veth peer name down1")
router, router_pid = space_of_process()
client, client_pid = space_of_process()
ip("link set down1 netns %d" % router_pid)
ip("addr add 10.2.0.2/24 dev up1")
ip("link set up1 up")
ip("route add default via 10.2.0.1")
write("ipfrag_time", "1")

enter(router)
ip("link set lo up")
ip("link add down0 type veth peer name up0")
ip("link set up0 netns %d" % client_pid)
ip("addr add 10.1.0.1/24 dev down0")
ip("addr add 10.2.0.1/24 dev down1")
ip("link set down0 up")
ip("link set down1 mtu 1000 up")
ip("route add 10.7.0.0/24 via 10.2.0.2")
write("ip_forward", "1")

enter(client)
ip("link set lo up")
ip("addr add 10.1.0.2/24 dev up0")
ip("link set up0 up")
ip("route add default via 10.1.0.1")

# a connection that is closed properly, with small messages without replies until one gets a delayed acknowledgment
listener = stream(server)
listener.bind(("10.2.0.2", 5000))
listener.listen(8)
talk = stream(client)
talk.connect(("10.2.0.2", 5000))
peer, other = listener.accept()
talk.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
while not counters(server)["DelayedACKs"]:
	talk.send(b"x")
	time.sleep(0.05)
talk.close()
peer.close()

# one that is reset, one that is refused, over IPv4 and IPv6
reset = stream(client)
reset.connect(("10.2.0.2", 5000))
peer, other = listener.accept()
reset.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
reset.close()
wait_for(server, "EstabResets")
peer.close()
for family, address in (socket.AF_INET, "10.2.0.2"), (socket.AF_INET6, "::1"):
	enter(client)
	refused = socket.socket(family)
	if refused.connect_ex((address, 6000)) == 0:
		raise SystemExit("not refused")

# too many at once: some are refused and retry
narrow = stream(server)
narrow.bind(("10.2.0.2", 5001))
narrow.listen(0)
many = []
for i in range(4):
	many.append(stream(client))
	many[i].setblocking(False)
	many[i].connect_ex(("10.2.0.2", 5001))
wait_for(server, "ListenOverflows")
wait_for(client, "RetransSegs")
for s in many:
	s.close()

# datagrams through a small MTU; to a closed port, to an unknown network, with an unknown protocol; half of one
enter(server)
sink = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
sink.bind(("10.2.0.2", 4000))
enter(client)
datagram = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
datagram.setsockopt(socket.IPPROTO_IP, 10, 0)		# IP_MTU_DISCOVER: IP_PMTUDISC_DONT
for i in range(3):
	datagram.sendto(b"x" * 1400, ("10.2.0.2", 4000))
	sink.recv(2000)
datagram.setsockopt(socket.IPPROTO_IP, 10, 3)		# IP_PMTUDISC_PROBE
datagram.sendto(b"x" * 1400, ("10.2.0.2", 4000))
datagram.setsockopt(socket.IPPROTO_IP, 10, 0)
datagram.sendto(b"x", ("10.7.0.1", 4000))
datagram.sendto(b"x", ("10.9.0.1", 4000))
socket.socket(socket.AF_INET, socket.SOCK_RAW, 200).sendto(b"x", ("10.2.0.2", 0))
raw = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW)
raw.sendto(struct.pack(">BBHHHBBH4s4s", 0x45, 0, 36, 7, 0x2000, 9, 17, 0, bytes([10, 1, 0, 2]), bytes([10, 2, 0, 2]))
	+ b"x" * 16, ("10.2.0.2", 0))
for space, name in ((server, "InAddrErrors"), (router, "InNoRoutes"), (server, "InUnknownProtos"), (router, "FragFails"),
	(server, "ReasmTimeout")):
	wait_for(space, name)

# and one that needs more memory than the limit for all
enter(first)
limits = open("/proc/sys/net/ipv4/tcp_mem").read()
write("tcp_mem", "1 1 100000")
enter(client)
listener6 = socket.socket()
listener6.bind(("127.0.0.1", 5000))
listener6.listen(1)
big = socket.create_connection(("127.0.0.1", 5000))
big.setblocking(False)
while not counters(client)["TCPMemoryPressures"]:
	try:
		big.send(b"x" * 65536)
	except BlockingIOError:
		pass
enter(first)
write("tcp_mem", limits)
enter(client)
peer, other = listener6.accept()
big.close()
while peer.recv(1000000):
	pass
peer.close()

def total():
	n = {}
	for space in first, server, router, client:
		for name, value in counters(space).items():
			n[name] = n.get(name, 0) + value
	return n

def open_sockets():
	n = 0
	for space in server, router, client:
		enter(space)
		for path in "tcp", "tcp6":
			lines = open("/proc/thread-self/net/" + path).read().splitlines()[1:]
			n += sum(line.split()[3] != "06" for line in lines)	# TCP_TIME_WAIT
	return n

# until no packets are in flight: the exit of this program must not be counted
for s in [o for o in gc.get_objects() if isinstance(o, socket.socket)]:
	s.close()
n, last = total(), None
while open_sockets() or n != last:
	time.sleep(0.2)
	n, last = total(), n
for name in n:
	print("kernel", name, n[name] - before[name])
