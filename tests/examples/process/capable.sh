touch file
python3 -c '
import os, socket
os.chown("file", 1000, 1000)
os.setuid(1000)
try:
    os.chroot("/")
except OSError:
    pass
'
