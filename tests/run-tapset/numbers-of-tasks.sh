exec unshare -p -n -f --kill-child python3 -c '
import os, resource, time
resource.setrlimit(resource.RLIMIT_NOFILE, (321, 400))
resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY,) * 2)
os.setsid()
end = time.process_time() + 0.3
while time.process_time() < end:
	pass
for name in "pid", "mnt", "net", "uts", "ipc", "cgroup", "user":
	print(name, os.stat("/proc/self/ns/" + name).st_ino)
for line in open("/proc/self/cgroup"):
	if line.startswith("0::"):
		print("cgroup", line[3:].strip())
print("load", *[len(s.split(".")[1]) for s in open("/proc/loadavg").read().split()[:3]])
times = os.times()
size = [int(n) for n in open("/proc/self/statm").read().split()]
print("memory", size[0], size[3], size[5])
os.rename("here", "there") if os.path.exists("here") else None
import sys
sys.stdout.flush()
try:
	os.chdir("/no such directory of ours")
except OSError:
	pass
'
