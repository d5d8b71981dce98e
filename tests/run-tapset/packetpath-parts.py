"""Packets that are cut, between two namespaces with a link of 1500 bytes; and the judge of what `packets` has printed.

parts: 20000 bytes by TCP from a sender whose device cannot cut packets, a datagram of 4000 bytes, one of 4000 by IPv6
judge: compares the ways on standard input with the kernel's counters that were printed there
closed N: N datagrams to a port without socket, one after the other
"""
import ctypes
import fcntl
import re
import socket
import struct
import subprocess
import sys

import netspaces
from netspaces import enter, ip

SIOCETHTOOL = 0x8946
SET_TSO = 0x1f


def new_space():
	space = netspaces.new_space()
	return space, subprocess.Popen(["sleep", "1000"])


def spaces():
	server, client = new_space(), new_space()
	ip("link add name c0 type veth peer name s0 netns %d" % server[1].pid)
	for space, name, last in (client, "c0", 2), (server, "s0", 1):
		enter(space[0])
		netspaces.write("../ipv6/conf/%s/accept_dad" % name, "0")
		ip("addr add 10.1.0.%d/24 dev %s" % (last, name))
		ip("-6 addr add fd01::%d/64 dev %s nodad" % (last, name))
		ip("link set %s up" % name)
	return client, server


def switch_off_tso(name):
	value = ctypes.create_string_buffer(struct.pack("II", SET_TSO, 0))
	with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
		fcntl.ioctl(s, SIOCETHTOOL, struct.pack("16sP16x", name.encode(), ctypes.addressof(value)))


def counter(space, kind, name):
	return netspaces.counters(space[0])[kind, name]


def counter6(space, name):
	enter(space[0])
	with open("/proc/thread-self/net/snmp6") as f:
		return dict(line.split() for line in f)[name]


def waits_for_last_segment(space):
	enter(space[0])
	with open("/proc/thread-self/net/tcp") as f:
		return any(line.split()[3] == "09" for line in f)	# TCP_LAST_ACK


def parts():
	client, server = spaces()
	enter(server[0])
	listener = socket.create_server(("10.1.0.1", 5030))
	sink = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
	sink.bind(("10.1.0.1", 5031))
	sink6 = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
	sink6.bind(("fd01::1", 5031))
	enter(client[0])
	switch_off_tso("c0")
	before = counter(server, "Tcp", "InSegs")
	sent, requests = counter(client, "Tcp", "OutSegs"), counter(client, "Ip", "OutRequests")
	enter(client[0])
	sender = socket.create_connection(("10.1.0.1", 5030))
	accepted = listener.accept()[0]
	sender.sendall(b"x" * 20000)
	sender.shutdown(socket.SHUT_WR)
	size = 0
	while data := accepted.recv(65536):
		size += len(data)
	accepted.close()
	while sender.recv(1):
		pass
	while waits_for_last_segment(server):
		pass
	print("kernel bytes", size)
	print("kernel segments", counter(server, "Tcp", "InSegs") - before)
	# TCP counts the segments of a large packet, IP counts it as one
	print("kernel more", counter(client, "Tcp", "OutSegs") - sent - counter(client, "Ip", "OutRequests") + requests)
	enter(client[0])
	with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
		s.sendto(b"x" * 4000, ("10.1.0.1", 5031))
	sink.recv(5000)
	with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as s:
		s.sendto(b"x" * 4000, ("fd01::1", 5031))
	sink6.recv(5000)
	print("kernel fragments", counter(client, "Ip", "FragCreates"), counter(server, "Ip", "ReasmReqds"))
	print("kernel fragments6", counter6(client, "Ip6FragCreates"), counter6(server, "Ip6ReasmReqds"))
	for space in client, server:
		space[1].kill()


def judge():
	kernel, ways, made = {}, {}, {"skb_segment": [], "ip_do_fragment": [], "ip6_fragment": []}
	for line in sys.stdin:
		if line.startswith("kernel "):
			name, *values = line.split()[1:]
			kernel[name] = list(map(int, values))
		# number, packet, function
		m = re.search(r" (\d+) (\S+ > \S+ .*?) {2,}(\S.*)$", line.rstrip()) or \
			re.search(r" (\d+) (\S+ > \S+ (?:TCP|UDP|IPv6|ICMPv6)(?: fragment)?) (\S.*)$", line.rstrip())
		if not m:
			continue
		number, what = int(m[1]), m[3]
		ways.setdefault(number, []).append(what)
		if part := re.match(r"(\w+): a part is (\d+)", what):
			made[part[1]].append(int(part[2]))
	cut = [n for n in ways if any(what.startswith("skb_segment: a part is ") for what in ways[n])]
	reached = lambda name: [n for n in ways if name in ways[n]]
	bad = []

	def check(name, found, wanted):
		if found != wanted:
			bad.append("%s: %s, but it is %s" % (name, found, wanted))

	check("bytes", kernel["bytes"], [20000])
	check("segments that arrive", [len(reached("tcp_v4_rcv"))], kernel["segments"])
	check("segments more than packets", [len(made["skb_segment"]) - len(cut)], kernel["more"])
	check("a packet was cut", bool(cut), True)
	check("segments made that do not arrive", [n for n in made["skb_segment"] if "tcp_v4_rcv" not in ways.get(n, [])], [])
	# the first fragment is the datagram itself
	check("fragments", [len(made["ip_do_fragment"]) + 1] * 2, kernel["fragments"])
	check("fragments by IPv6", [len(made["ip6_fragment"]) + 1] * 2, kernel["fragments6"])
	for n in made["ip_do_fragment"]:
		check("fragment %d is received" % n, "ip_rcv" in ways.get(n, []), True)
	for n in made["ip6_fragment"]:
		check("fragment %d is received by IPv6" % n, "ipv6_rcv" in ways.get(n, []), True)
	print("\n".join(bad), end="\n" if bad else "")
	sys.exit(bool(bad))


def closed(count):
	client, server = spaces()
	for n in range(int(count)):
		before = counter(server, "Udp", "NoPorts")
		enter(client[0])
		with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
			s.sendto(b"x", ("10.1.0.1", 5032))
		while counter(server, "Udp", "NoPorts") == before:
			pass
	for space in client, server:
		space[1].kill()


globals()[sys.argv[1]](*sys.argv[2:])
