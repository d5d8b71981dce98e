# Data written to a pseudo-terminal reaches its other end through a work item: 30 times.
python3 -c 'import os, pty
master, slave = pty.openpty()
for _ in range(30):
	os.write(slave, b"x")
	os.read(master, 10)'
