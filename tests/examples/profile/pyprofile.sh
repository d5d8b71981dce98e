# A program that spends three quarters of its time in one function, for four seconds, since the interpreter's tables take a
# while to arrive, and five times as long as the interpreter needed to start: a slow machine samples that, too.
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

until = time.process_time() * 6
while time.process_time() < max(until, 4):
	work()
END
python3 program.py
