# What is written to a terminal goes to its other end by a work in a queue: 30 times.
python3 -c 'import os, pty
master, slave = pty.openpty()
for _ in range(30):
	os.write(slave, b"x")
	os.read(master, 10)'
