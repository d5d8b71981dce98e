exec unshare -n python3 -c '
import socket, subprocess
subprocess.check_call(["ip", "link", "set", "lo", "up"])
a = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
a.bind(("127.0.0.1", 0))
a.settimeout(0.3)
b = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
got = 0
for n in [10, 20, 77, 30, 77]:
	b.sendto(b"x" * n, a.getsockname())
	try:
		got += len(a.recv(100))
	except socket.timeout:
		pass
print(got)
'
