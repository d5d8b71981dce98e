exec unshare -n python3 -c '
import os, socket, subprocess
def ip(*words):
    subprocess.check_call(["ip", "link"] + list(words))
ip("set", "lo", "up")
a = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
a.bind(("127.0.0.1", 4000))
b = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for i in range(7):
    b.sendto(b"x" * 1000, a.getsockname())
    a.recv(2000)
listener = socket.socket(socket.AF_INET6)
listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
listener.bind(("::1", 5000))
listener.listen()
client = socket.socket(socket.AF_INET6)
client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
client.connect(("::1", 5000))
server, other = listener.accept()
for i in range(5):
    client.send(b"y" * (10 + i))
    server.recv(100)
os.write(client.fileno(), b"z" * 33)
os.read(server.fileno(), 100)
try:
    server.send(b"w", socket.MSG_OOB | 0x4000000)
    socket.socket(99)
except OSError:
    pass
client.close()
server.close()
subprocess.call(["modprobe", "dummy", "numdummies=0"])
ip("add", "seen0", "type", "dummy")
ip("set", "seen0", "mtu", "1400")
ip("set", "seen0", "address", "02:00:00:00:00:07")
ip("set", "seen0", "up")
ip("set", "seen0", "promisc", "on")
ip("set", "seen0", "promisc", "off")
ip("set", "seen0", "down")
ip("del", "seen0")
subprocess.call(["rmmod", "dummy"])
'
