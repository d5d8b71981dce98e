# client 10.1.0.2 - bridge of a router, which translates addresses - server 10.2.0.2, and a vxlan from the router to the
# server. A datagram by each way, then drops at six places, and how often the kernel has counted each.
import os, socket, struct, subprocess

import netspaces
from netspaces import ip, write

# With a process, by which ip(8) can name it.
def new_space():
	space = netspaces.new_space()
	return space, subprocess.Popen(["sleep", "1000"])

def enter(space):
	netspaces.enter(space[0])

def counters(space):
	return {kind.replace("Ext", "") + name: n for (kind, name), n in netspaces.counters(space[0]).items()}

client, router, server = new_space(), new_space(), new_space()
for space in client, router, server:
	enter(space)
	for name in "all", "default":
		write("conf/%s/rp_filter" % name, "0")
enter(router)
ip("link add name br0 type bridge")
ip("link add name r0 type veth peer name c0 netns %d" % client[1].pid)
ip("link add name r1 type veth peer name s0 netns %d" % server[1].pid)
ip("link set r0 master br0")
ip("addr add 10.1.0.1/24 dev br0")
ip("addr add 10.2.0.1/24 dev r1")
for name in "br0", "r0", "r1":
	ip("link set %s up" % name)
ip("link add name vx type vxlan id 7 local 10.2.0.1 remote 10.2.0.2 dstport 4789 dev r1")
ip("addr add 10.9.0.1/24 dev vx")
ip("link set vx up")
write("ip_forward", "1")
subprocess.run(["nft", "-f", "-"], check=True, text=True, input="""
	table ip t { chain c { type nat hook postrouting priority srcnat; ip saddr 10.1.0.0/24 masquerade; }; }""")
enter(client)
ip("addr add 10.1.0.2/24 dev c0")
ip("link set c0 up")
ip("route add default via 10.1.0.1")
enter(server)
ip("addr add 10.2.0.2/24 dev s0")
ip("link set s0 up")
ip("link add name vx type vxlan id 7 local 10.2.0.2 remote 10.2.0.1 dstport 4789 dev s0")
ip("addr add 10.9.0.2/24 dev vx")
ip("link set vx up")
subprocess.run(["nft", "-f", "-"], check=True, text=True, input="""
	table ip t { chain c { type filter hook input priority filter; udp dport 5010 counter drop; }; }""")
sink = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
sink.bind(("0.0.0.0", 5001))
full = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
full.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
full.bind(("0.0.0.0", 5012))

# bytes in the queue of the full socket
def queued():
	enter(server)
	for line in open("/proc/thread-self/net/udp").read().splitlines()[1:]:
		if line.split()[1].endswith(":%04X" % 5012):
			return line.split()[4]

def send(to, port, size=5):
	enter(client)
	socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x" * size, (to, port))

def raw(space, source, to, port, checksum):
	enter(space)
	s = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW)
	s.sendto(struct.pack(">BBHHHBBH4s4s", 0x45, 0, 33, 7, 0, 9, 17, 0, socket.inet_aton(source), socket.inet_aton(to))
		+ struct.pack(">HHHH", 5020, port, 13, checksum) + b"xxxxx", (to, 0))

for to in "10.2.0.2", "10.9.0.2":
	send(to, 5001)
	print("got", sink.recvfrom(100)[1][0])

before = [counters(space) for space in (router, server)]
# one drop after the other: each has been counted before the next packet is sent
def dropped(space, name, n=1):
	while counters(space)[name] - before[space is server][name] < n:
		pass
def rule_drops():
	enter(server)
	rules = subprocess.check_output(["nft", "list", "ruleset"], text=True)
	return int(rules.split("packets ")[1].split()[0])
send("10.2.0.2", 5010)				# a rule of the server
while not rule_drops():
	pass
send("10.2.0.2", 5011)				# no socket
dropped(server, "UdpNoPorts")
full_at = lambda: counters(server)["UdpRcvbufErrors"] > before[1]["UdpRcvbufErrors"]
while not full_at():				# a full buffer
	last = queued()
	send("10.2.0.2", 5012, 1000)
	while queued() == last and not full_at():
		pass
raw(router, "10.2.0.1", "10.2.0.2", 5001, 0x1234)	# a wrong checksum
dropped(server, "UdpInCsumErrors")
enter(server)
write("conf/s0/rp_filter", "1")
raw(router, "10.66.0.1", "10.2.0.2", 5013, 0)	# an address from which no route leads back
dropped(server, "TcpIPReversePathFilter")
send("10.77.0.1", 5014)				# no route
dropped(router, "IpInNoRoutes")
print("kernel rule", rule_drops())
for name in "UdpNoPorts", "UdpRcvbufErrors", "UdpInCsumErrors", "TcpIPReversePathFilter", "IpInNoRoutes":
	print("kernel", name, sum(counters(s)[name] - b[name] for s, b in zip((router, server), before)))
for space in client, router, server:
	space[1].kill()
