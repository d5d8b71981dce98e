# A program that spends three quarters of its time in one function, for four seconds: the interpreter's tables take a
# while to arrive.
cat >program.py <<'END'
import time

def often(n):
	for i in range(n):
		pass

def seldom(n):
	for i in range(n):
		pass

def work():
	often(3000)
	seldom(1000)

until = time.monotonic() + 4
while time.monotonic() < until:
	work()
END
python3 program.py
