exec env PLACE=here python3 -c '
import fcntl, os, struct, termios, tty
master, slave = os.openpty()
tty.setraw(slave)
for i in range(3):
    os.write(slave, b"abcd")
    os.read(master, 10)
for i in range(2):
    os.write(master, b"xyz")
    os.read(slave, 10)
fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 33, 99, 7, 8))
os.close(slave)
os.close(master)
'
