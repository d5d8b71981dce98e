# Datagrams to this machine: one that is received, and one to a closed port.
exec unshare -n python3 -c '
import socket, subprocess
subprocess.check_call(["ip", "link", "set", "lo", "up"])
a = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
a.bind(("127.0.0.1", 5001))
b = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
b.bind(("127.0.0.1", 5003))
b.sendto(b"x", ("127.0.0.1", 5001))
a.recv(10)
b.connect(("127.0.0.1", 5002))
b.send(b"y")
try:
	b.recv(10)
except ConnectionRefusedError:
	pass
'
