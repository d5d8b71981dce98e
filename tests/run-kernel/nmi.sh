# tests/lib/guest.sh gives guests a watchdog that expires immediately when 15 is written to its port: an NMI
exec python3 -c '
import os
port = os.open("/dev/port", os.O_WRONLY)
null = os.open("/dev/null", os.O_WRONLY)
for i in range(10000):
	os.write(null, b"x")
	if i % 25 == 0:
		os.pwrite(port, b"\x0f", 0x443)
'
