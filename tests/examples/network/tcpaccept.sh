python3 -c '
import os, socket, subprocess, time
subprocess.call(["busybox", "ip", "link", "set", "lo", "up"])
listener = socket.socket()
listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
listener.bind(("127.0.0.1", 2301))
listener.listen()
for i in range(3):
	client = socket.create_connection(("127.0.0.1", 2301))
	server, other = listener.accept()
	client.sendall(b"q" * 1000)
	got = 0
	while got < 1000:
		got += len(server.recv(1000))
	server.sendall(b"a" * 50000)
	while got < 51000:
		got += len(client.recv(65536))
	time.sleep(0.1)
	client.close()
	server.close()
'
