exec unshare -n python3 -c '
import re, socket, subprocess

# With KASAN, the kernel keeps what is freed for a while, but not when the cache shrinks.
def packets():
	try:
		open("/sys/kernel/slab/skbuff_head_cache/shrink", "w").write("1")
	except OSError:
		pass
	line = re.search("^skbuff_head_cache +([0-9]+)", open("/proc/slabinfo").read(), re.M)
	return int(line.group(1)) if line else 0

subprocess.check_call(["ip", "link", "set", "lo", "up"])
a = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
a.bind(("127.0.0.1", 0))
a.settimeout(1)
b = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
got = missed = 0
before = packets()
for n in [77] * 2000 + [78] * 200 + [79] + [10]:
	b.sendto(b"x" * n, a.getsockname())
	try:
		got += len(a.recv(100)) == n
	except socket.timeout:
		missed += 1
		if missed == 20:
			break
print(got, "came,", "few" if packets() - before < 1000 else "many", "stay")
'
