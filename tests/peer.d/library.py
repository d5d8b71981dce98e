# SPDX-License-Identifier: GPL-2.0-or-later
"""Calls of library functions with edge values of each parameter's type: functions that both sides have with the same
signature, that take an argument, and whose result depends only on it. Addresses are among the numbers that cannot be
read: both must report that. Errors are compared without their messages."""

import collections
import itertools
import os
import random
import re

from campaign import LIMITS, Finding
from guest import make_job, read

LONGS = ["0", "1", "(-1)", "2", "5", "10", "17", "64", "255", "4096", "65535", "2147483647", "2147483648", "(-2147483648)",
	 "0x7fffffffffffffff", "(-0x7fffffffffffffff - 1)", "0x100000000"]
STRINGS = ['""', '"a"', '"0"', '"12"', '"-7"', '"0x1f"', '"abc def,ghi"', '"q\\"q\\\\q"', '"é€"', '"%s%d%%"', '"/dev/null"',
	   '"tab\\tnew\\nline"', '"TCP"', '"' + "long " * 60 + '"']
MOST = 24		# calls per function

# Parameters with small values only, because SystemTap loops that often in the kernel: the digits of a number.
COUNTS = {("fp_to_string", 1): LONGS[:7]}

# Functions that stop, wait, write or print; that depend on time, machine or probe; that keep state.
LEFT_OUT = re.compile(
	r"^_|^set_|^ansi_|^print_|^sprint_(u?backtrace|u?stack|u?syms|loadavg)|^panic$|^raise$|^[mu]delay$|^exit$|^abort$|^error$|"
	r"^warn$|^log$|^ftrace$|^printk$|^system$|^randint$|^assert$|^mock|speculat|^commit$|^discard$|^probe_|^thread_indent|^indent|"
	r"^cmdline|^qs|^proc_mem|^tz_|^add_input|^json|^prometheus|^module_(name|size)|symname|symdata|symfile|symline|"
	r"^u?(addr|caller|module|mod)|^tokenize$|^matched|^pid2|^get_loadavg|^cpu_|"
	r"^(u?stack|u?ustack)$|^is_(return|sig|myproc)|^current_|^env_var|^stap_|^get_netdev|^target|^returnval|^(int|uint|long|"
	r"ulong|longlong|ulonglong|pointer|[su](8|16|32|64)|char|short)_arg$|^register$|^u_register$|^asmlinkage$|^fastcall$|^regparm$|"
	r"^atomic|^container_of|^rcu_|^ns_|^delete_|^read_|^mem_|^pagefault|^delayed|^return_str$|^__")


def functions(text):
	"""(name, parameters' types, result) from --dump-functions, "" where no type is written; of an overloaded function, several."""
	for line in text.splitlines():
		at = re.match(r"(\w+)(?::(long|string))? ?\((.*?)\)", line)
		if at:
			parameters = at.group(3).split(",") if at.group(3) else []
			yield at.group(1), tuple(p.partition(":")[2] for p in parameters), at.group(2) or ""


def signatures(text):
	"""Of the functions that have a parameter and a result, and a type for each."""
	return {f for f in functions(text) if f[1] and all(f[1]) and f[2]}


def calls(name, types):
	"""All values of each parameter combined with a plain one for the others, and some random ones."""
	dice = random.Random(name)
	values = [COUNTS.get((name, n), LONGS) if kind == "long" else STRINGS for n, kind in enumerate(types)]
	plain = [v[4] for v in values]
	some = [(*plain[:n], value, *plain[n + 1:]) for n in range(len(types)) for value in values[n]]
	if len(types) > 1:
		every = list(itertools.islice(itertools.product(*values), 100000))
		some += dice.sample(every, min(len(every), MOST))
	some = list(dict.fromkeys(some))
	return [f"{name}({', '.join(args)})" for args in (some if len(some) <= MOST else dice.sample(some, MOST))]


def probe(number, label, types):
	name = label.partition("-")[0]
	lines = [f"probe begin({number}) {{ println(\"#{label}\")"]
	for n, call in enumerate(calls(name, types)):
		lines.append(f"\ttry {{ println({n}, \" [\", {call}, \"]\") }} catch {{ println({n}, \" error\") }}")
	return "\n".join(lines) + "\n}\n"


class Library:
	def __init__(self, tools, guest, report):
		self.tools, self.guest, self.report, self.calls, self.called, self.refused = tools, guest, report, 0, 0, 0

	def functions(self, directory):
		"""A label and the types of the parameters for each. The label is the name, or NAME-N with N parameters."""
		both = signatures(self.tools.run_tapc(["--dump-functions"], directory).stdout) & signatures(self.peer_list(directory))
		both = sorted(function for function in both if not LEFT_OUT.search(function[0]))
		times = collections.Counter(name for name, _, _ in both)
		return [(name if times[name] == 1 else f"{name}-{len(types)}", types) for name, types, _ in both]

	def peer_list(self, directory):
		"""Stored with the chroot, because it takes half a minute."""
		path = f"{self.tools.root}/.functions"
		if not os.path.exists(path):
			done = self.tools.run_stap(["--dump-functions"], directory, cpu=300)
			if done.returncode != 0:
				raise SystemExit(f"tests/peer: SystemTap does not list its functions: {done.stderr}")
			with open(f"{path}.{os.getpid()}", "w") as file:
				file.write(done.stdout)
			os.rename(file.name, path)
		return read(path)

	def run(self, functions):
		"""The functions that both accept are called together; for the others the verdicts must be the same."""
		if not functions:
			return
		path = make_job(self.guest.directory, f"library_{len(functions)}_{functions[0][0]}")
		texts = {name: probe(n, name, types) for n, (name, types) in enumerate(functions, 1)}
		with open(f"{path}/pack.stp", "w") as file:
			file.write("".join(texts.values()) + "probe begin(2147483647) { println(\"#\") exit() }\n")
		ours, theirs = (ask(["-w", *LIMITS, "pack.stp"], path) for ask in (self.tools.tapc_answer, self.tools.stap_answer))
		if not ours.failed and not theirs.failed:
			if self.build(path):
				self.run_pair(path, texts)
		elif len(functions) > 1:
			self.run(functions[:len(functions) // 2])
			self.run(functions[len(functions) // 2:])
		else:
			self.compare_verdicts(functions[0][0], read(f"{path}/pack.stp"), ours, theirs)

	def compare_verdicts(self, name, text, ours, theirs):
		self.refused += 1
		if bool(ours.failed) != bool(theirs.failed):
			self.report(Finding("verdict", name, text, f"pass {ours.failed}\n{ours.messages}",
					    f"pass {theirs.failed}\n{theirs.messages}"))

	def run_pair(self, path, texts):
		trouble = self.guest.run(os.path.basename(path))
		if trouble:
			self.report(Finding("trouble", os.path.basename(path), "", trouble, read(f"{path}/stap.err")))
		ours, theirs = (read(f"{path}/{side}.out") for side in ("tap", "stap"))
		for name, text in texts.items():
			self.compare(name, text, ours, theirs)

	def build(self, path):
		answers = (self.tools.tapc_answer(["-w", "-m", "tap", *LIMITS, "pack.stp"], path, 4),
			   self.tools.stap_answer(["-w", "-m", "stap_peer", *LIMITS, *self.tools.stap_flags, "pack.stp"], path, 4, 600))
		if answers[0].failed or answers[1].failed:
			self.report(Finding("build", os.path.basename(path), read(f"{path}/pack.stp"), answers[0].messages, answers[1].messages))
			return False
		os.rename(f"{path}/stap_peer.ko", f"{path}/stap.ko")
		with open(f"{path}/stap.name", "w") as file:
			file.write("stap_peer")
		return True

	def compare(self, name, text, ours, theirs):
		"""Each call that differs is a separate finding."""
		one, other = (re.search(rf"^#{name}\n(.*?)(?=^#)", side, re.S | re.M) for side in (ours, theirs))
		one, other = (results(at.group(1) if at else "") for at in (one, other))
		calls_of = re.findall(r"try \{ println\(\d+, \" \[\", (.*), \"\]\"\) \} catch", text)
		self.called += 1
		self.calls += len(calls_of)
		for number, call in enumerate(calls_of):
			a, b = (side.get(number, "(nothing)") for side in (one, other))
			if a != b or a == "(nothing)":
				self.report(Finding("output", f"{name}/{number}", call, a, b))


def results(text):
	"""What each call printed, by its number."""
	return {int(number): rest for number, rest in re.findall(r"^(\d+) (.*(?:\n(?!\d+ ).*)*)$", text, re.M)}
