# SPDX-License-Identifier: GPL-2.0-or-later
"""One guest that runs pairs of modules, tapc's and then SystemTap's, one pair after the other."""

import os
import queue
import subprocess
import threading

from tools import SRC

# $1: the job's directory, $2: SystemTap's chroot, $3: taprun, $4: seconds. If the job says so, tapc's module runs in the
# chroot, too: the command then is the same program, with the same libraries and files.
RUN = r"""
dir=$1 root=$2 taprun=$3 seconds=$4
mkdir -p /tmp/pair
cd /tmp/pair || exit
if [ -e "$dir/../workload" ]; then cp "$dir/../workload" .; fi
run()
{
	timeout -k 5 "$seconds" "${@:2}" >out 2>err </dev/null
	echo $? >"$dir/$1.status"
	cp out "$dir/$1.out"
	cp err "$dir/$1.err"
	grep '(.*O.*)$' /proc/modules | while read -r module rest; do
		echo "left in the kernel: $module" >>"$dir/$1.err"
		rmmod "$module"
	done
}
mount_root()
{
	[ -e "$root/proc/self" ] || for mount in proc sys dev tmp; do
		mount --rbind "/$mount" "$root/$mount"
	done
}
if [ -e "$dir/tap.ko" ] && [ -e "$dir/tap.chroot" ]; then
	mount_root
	cp "$taprun" "$dir/tap.ko" .
	eval "run tap chroot '$root' /tmp/pair/taprun $(cat "$dir/tap.args") /tmp/pair/tap.ko"
elif [ -e "$dir/tap.ko" ]; then
	eval "run tap $taprun $(cat "$dir/tap.args") '$dir/tap.ko'"
fi
if [ -e "$dir/stap.ko" ]; then
	mount_root
	cp "$dir/stap.ko" "$(cat "$dir/stap.name").ko"
	eval "run stap chroot '$root' staprun -R $(cat "$dir/stap.args") '/tmp/pair/$(cat "$dir/stap.name").ko'"
fi
rm -rf /tmp/pair
exit 0
"""


class Guest:
	"""Jobs are directories below DIRECTORY with tap.ko and stap.ko."""

	def __init__(self, tools, directory, seconds=600):
		self.tools, self.directory, self.seconds = tools, directory, seconds
		self.waiting, self.lock = {}, threading.Lock()
		with open(f"{directory}/run", "w") as script:
			script.write(RUN)
		self.vm = subprocess.Popen([f"{SRC}/tests/vm", "--kernel", tools.release, "--batch", directory, "--follow",
					    "--timeout", str(2 * seconds + 60)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
					   stderr=subprocess.DEVNULL, text=True, bufsize=1)
		threading.Thread(target=self.listen, daemon=True).start()

	def listen(self):
		for line in self.vm.stdout:
			with self.lock:
				done = self.waiting.pop(line.strip(), None)
			if done:
				done.put(True)
		with self.lock:
			for done in self.waiting.values():
				done.put(False)

	def run(self, job, tap_args="", stap_args=""):
		"""Runs the pair of DIRECTORY/job; returns what went wrong outside of it, or an empty text."""
		path = f"{self.directory}/{job}"
		for name, text in (("tap.args", tap_args), ("stap.args", stap_args),
				   ("cmd", f"exec bash '{self.directory}/run' '{path}' '{self.tools.root}' '{self.tools.taprun}' "
				    f"{self.seconds}\n")):
			with open(f"{path}/{name}", "w") as file:
				file.write(text)
		done = queue.Queue()
		with self.lock:
			self.waiting[job] = done
		print(job, file=self.vm.stdin, flush=True)
		if not done.get():
			return "the guest is gone"
		return read(f"{path}/trouble")

	def close(self):
		self.vm.stdin.close()
		self.vm.wait()


def read(path):
	try:
		with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
			return file.read()
	except FileNotFoundError:
		return ""


def make_job(directory, job):
	path = os.path.join(directory, job)
	os.makedirs(path)
	return path
