# ten times; other programs are not affected
sync -d .
exec python3 -c '
import os
f = os.open("written", os.O_CREAT | os.O_WRONLY)
lost = 0
for i in range(10):
	os.write(f, b"x")
	try:
		os.fsync(f)
	except OSError as e:
		lost += 1
		why = e.strerror
print(lost, "times fsync failed:", why)
'
