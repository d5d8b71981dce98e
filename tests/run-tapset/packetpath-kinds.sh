# Datagrams over lo: one in two fragments, one whole, and two other protocols, each over IPv4 and IPv6.
exec unshare -n python3 -c '
import socket, subprocess
def ip(words):
	subprocess.check_call(["ip"] + words.split())
with open("/proc/sys/net/ipv6/conf/all/disable_ipv6", "w") as f:
	f.write("0")
ip("link set lo mtu 1500 up")
def pair(family, address, type, to, by):
	a, b = socket.socket(family, type), socket.socket(family, type)
	a.bind((address, to))
	b.bind((address, by))
	return a, b
for family, address in (socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1"):
	a, b = pair(family, address, socket.SOCK_DGRAM, 5001, 5002)
	b.sendto(b"x" * 2000, (address, 5001))
	a.recv(3000)
	b.sendto(b"x", (address, 5001))
	a.recv(3000)
	a = socket.socket(family, socket.SOCK_RAW, 132)
	b = socket.socket(family, socket.SOCK_RAW, 132)
	b.sendto(bytes([0, 7, 0, 9]) + bytes(8), (address, 0))
	a.recv(100)
	a = socket.socket(family, socket.SOCK_RAW, 200)
	b = socket.socket(family, socket.SOCK_RAW, 200)
	b.sendto(b"x", (address, 0))
	a.recv(100)
'
