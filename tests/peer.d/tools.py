# SPDX-License-Identifier: GPL-2.0-or-later
"""Both translators on the host: their results for a script, and the modules that they build."""

import os
import re
import subprocess

SRC = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LIBRARIES = ". $0/tests/lib/packages.sh; . $0/tests/lib/kernels.sh; . $0/tests/lib/systemtap.sh; "
CPU_SECONDS = 8		# SystemTap's optimizer does not terminate for every script

MANY = """
library=/usr/local/share/peer-tapset
mkdir -p $library
ln -sf /usr/share/systemtap/tapset/*.stp /usr/share/systemtap/tapset/*.stpm $library/
export SYSTEMTAP_TAPSET=$library
for name; do
	prlimit --cpu=8:8 --as=8000000000 stap -r "$0" -p2 -w "$name" >/dev/null 2>"$name.err"
	echo $? >"$name.status"
done
"""

# SystemTap turns all warnings into errors, some of which have no option to disable them. Its tests of kernel features
# rely on warnings, so warnings are disabled only for the translated script.
CC = "/usr/local/bin/peer-cc"
STAP_CC = """#!/bin/sh
case "$*" in
*_src.c*) exec gcc-12 "$@" -w;;
esac
exec gcc-12 "$@"
"""


class Answer:
	"""The result of a translator: the pass that failed, or 0, its messages and its output."""

	def __init__(self, failed, messages, output=""):
		self.failed, self.messages, self.output = failed, messages, output


def shell(text, *args, **kwargs):
	return subprocess.run(["bash", "-c", LIBRARIES + text, SRC, *args], text=True, errors="replace", **kwargs)


def shell_text(text, *args):
	return shell(text, *args, stdout=subprocess.PIPE, check=True).stdout.strip()


class Tools:
	def __init__(self, build, kernel, scratch):
		self.build, self.scratch = os.path.abspath(build), scratch
		self.tapc, self.taprun = f"{self.build}/tapc", f"{self.build}/taprun"
		self.release = shell_text('kernel_release "$1"', kernel)
		self.prefix = shell_text('kernel_debug_prefix "$1" || kernel_prefix "$1"', kernel)
		self.root = shell_text("systemtap_dir")
		self.make_args = shell_text('kernel_make_args "$1"', kernel).split()
		# A constant path, because SystemTap caches its tests of kernel features for this compiler.
		self.stap_flags = ["-B", "KCFLAGS=-O1 -g0", "-B", f"CC={CC}"]

	def ready(self):
		"""Creates the chroot if it does not exist; false if it cannot."""
		if shell("systemtap_fetch && systemtap_link_kernel \"$1\"", self.release).returncode != 0:
			return False
		self.write_cc()
		# Its first scan of the tracepoints compiles for minutes. If it is cut short, the results so far stay in
		# its cache.
		return self.run_stap(["-l", 'kernel.trace("raw_syscalls:sys_enter")'], self.scratch, cpu=1000).returncode == 0

	def write_cc(self):
		new = f"{self.root}{CC}.{os.getpid()}"
		with open(new, "w") as file:
			file.write(STAP_CC)
		os.chmod(new, 0o755)
		os.rename(new, f"{self.root}{CC}")

	def is_fetched(self):
		return shell("systemtap_fetched && kernel_fetched \"$1\"", self.release).returncode == 0

	# ---- tapc ----

	def run_tapc(self, args, directory, seconds=120):
		make = [word for arg in self.make_args for word in ("-B", arg)]
		command = [self.tapc, "-r", self.release, "--sysroot", self.prefix, *make, *args]
		return self.run(command, directory, seconds)

	@staticmethod
	def run(command, directory, seconds):
		try:
			done = subprocess.run(["prlimit", "--as=8000000000", *command], cwd=directory, stdin=subprocess.DEVNULL,
					      capture_output=True, timeout=seconds, check=False)
			# as guest.read() does: all bytes are preserved
			done.stdout, done.stderr = done.stdout.decode(errors="surrogateescape"), done.stderr.decode(errors="replace")
			return done
		except subprocess.TimeoutExpired as late:
			return subprocess.CompletedProcess(command, 124, "", f"{late}\n")

	def tapc_answer(self, args, directory, until=2):
		"""Up to pass UNTIL. A crash or a hang is pass -1."""
		done = self.run_tapc(["-p", str(until), *args], directory, 120 if until < 4 else 1800)
		if done.returncode == 0:
			return Answer(0, done.stderr, done.stdout)
		if done.returncode not in (2, 3, 4):
			return Answer(-1, f"exit status {done.returncode}\n{done.stderr}")
		return Answer(self.tapc_failed_at(done.returncode, args, directory, until), done.stderr)

	def tapc_failed_at(self, status, args, directory, until):
		if status == 4:
			return 4
		for number in range(1, until):
			if self.run_tapc(["-p", str(number), *args], directory).returncode != 0:
				return number
		return until

	def simulate(self, args, directory):
		return self.run_tapc(["--simulate", *args], directory, 300)

	# ---- SystemTap ----

	def run_stap(self, args, directory, seconds=1800, cpu=CPU_SECONDS):
		"""In the chroot, with DIRECTORY and the scratch directory visible."""
		limit = ["prlimit", f"--cpu={cpu}:{cpu}", "--as=8000000000"]
		command = ["bash", "-c", LIBRARIES + 'systemtap_run "$@"', SRC, self.scratch, *limit, "stap",
			   "-r", self.release, *args]
		return self.run(command, directory, seconds)

	def stap_answer(self, args, directory, until=2, cpu=CPU_SECONDS):
		done = self.run_stap(["-p", str(until), *args], directory, cpu=cpu)
		return self.stap_said(done.returncode, done.stderr, done.stdout)

	@staticmethod
	def stap_said(status, messages, output=""):
		if status == 0:
			return Answer(0, messages, output)
		failed = re.search(r"^Pass (\d): .* failed", messages, re.M)
		messages = "\n".join(line for line in messages.splitlines() if "symbol table missing" not in line)
		return Answer(int(failed.group(1)) if failed else -1, messages)

	def stap_answers(self, names, directory):
		"""Results of many scripts at pass 2, without the kernel's part of the library: a fifth of the cost."""
		command = ["bash", "-c", LIBRARIES + 'systemtap_run "$@"', SRC, self.scratch, "sh", "-c", MANY, self.release, *names]
		self.run(command, directory, 3600)
		answers = []
		for name in names:
			with open(f"{directory}/{name}.err", errors="replace") as err, open(f"{directory}/{name}.status") as status:
				answers.append(self.stap_said(int(status.read()), err.read()))
		return answers

	def stap_verdict(self, tapc, args, directory):
		"""At pass 2, or, if tapc refuses a script that passes there, as far as SystemTap needs to find errors:
		some are found in pass 3, and some only with -u, which keeps unused code."""
		peer = self.stap_answer(args, directory)
		if tapc.failed > 0 and peer.failed == 0:
			peer = self.stap_answer(args, directory, 3)
		if tapc.failed > 0 and peer.failed == 0:
			peer.messages += "with -u: " + self.stap_answer(["-u", *args], directory, 3).messages
		return peer
