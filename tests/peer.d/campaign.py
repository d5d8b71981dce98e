# SPDX-License-Identifier: GPL-2.0-or-later
"""Random programs run in three ways: as tapc's module and SystemTap's, in one guest, and with tapc --simulate.

Many well-formed programs are put into one script. If a translator refuses the script, the program at the position in
its message is taken out and tested separately, and the others continue. Malformed programs are tested separately, up to
pass 2."""

import os
import re
import shutil
import threading

import grammar
from guest import make_job, read

LIMITS = ["-D", "MAXACTION=1000000", "-D", "MAXERRORS=10000"]


class Finding:
	"""A difference: of kind verdict, output, shape, simulate, build or trouble; the script and the results of both sides."""

	def __init__(self, kind, name, script, tapc, peer):
		self.kind, self.name, self.script, self.tapc, self.peer = kind, name, script, tapc, peer
		self.explained = None


def parts(text, number):
	"""The output of program NUMBER, in begin and in end."""
	found = re.findall(rf"\n#{number}\n(.*?)\n#{number} ends\n", text, re.S) or ["(did not end)"]
	found += re.findall(rf"\n#{number} then\n(.*?)(?=\n#\d+ then\n|\Z)", text, re.S) or ["(no end)"]
	return "\n-- then --\n".join(found)


def first_difference(one, other):
	a, b = one.split("\n"), other.split("\n")
	for n, (x, y) in enumerate(zip(a + [""] * len(b), b + [""] * len(a))):
		if x != y:
			return n, x, y
	return 0, "", ""


class Pack:
	"""Programs that make up one script, without those that were taken out."""

	def __init__(self, seed, numbers):
		self.seed, self.numbers = seed, list(numbers)
		self.texts = {n: grammar.program(seed, n) for n in self.numbers}

	def script(self):
		return "".join(self.texts[n] for n in self.numbers) + "probe begin(2147483647) { exit() }\n"

	def at_line(self, line):
		"""The program at this line of the script."""
		for number in self.numbers:
			line -= self.texts[number].count("\n")
			if line <= 0:
				return number
		return None


class Campaign:
	def __init__(self, tools, guest, directory, seed, report):
		self.tools, self.guest, self.directory, self.seed, self.report = tools, guest, directory, seed, report
		self.ran, self.refused, self.lock = 0, 0, threading.Lock()

	def count(self, ran=0, refused=0):
		with self.lock:
			self.ran += ran
			self.refused += refused

	# ---- well-formed ----

	def run_pack(self, numbers):
		pack = Pack(self.seed, numbers)
		job = f"s{self.seed}n{numbers[0]}"
		path = make_job(self.directory, job)
		if not self.build(pack, path, "tap") or not self.build(pack, path, "stap"):
			return
		simulated = self.tools.simulate(["-w", *LIMITS, "pack.stp"], path)
		trouble = self.guest.run(job, "", "")
		if trouble:
			self.report(Finding("trouble", job, pack.script(), trouble, read(f"{path}/stap.err")))
		outputs = [read(f"{path}/tap.out"), read(f"{path}/stap.out"), simulated.stdout]
		for number in pack.numbers:
			self.compare(pack, number, *(parts(text, number) for text in outputs))
		self.count(ran=len(pack.numbers))
		self.report.progress(f"seed {self.seed}, {numbers[0]} to {numbers[-1]}: {len(pack.numbers)} compared; in all {self.ran}")
		if not trouble:
			shutil.rmtree(path)

	def compare(self, pack, number, tapc, peer, simulated):
		name, text = f"{pack.seed}:{number}", pack.texts[number]
		if tapc != peer:
			self.report(Finding("output", name, text, tapc, peer))
		if tapc != simulated:
			self.report(Finding("simulate", name, text, tapc, simulated))

	def build(self, pack, path, tool):
		"""The module of the pack in the job; refused programs are taken out."""
		while pack.numbers:
			with open(f"{path}/pack.stp", "w") as file:
				file.write(pack.script())
			answer = self.module(path, tool)
			if answer.failed == 0:
				return True
			number = self.culprit(pack, answer) or self.search(pack, path, tool)
			if number is None:
				self.report(Finding("build", f"{pack.seed}:{pack.numbers[0]}+", pack.script(),
						    *([answer.messages, ""] if tool == "tap" else ["", answer.messages])))
				return False
			self.take_out(pack, number, path)
		return False

	def search(self, pack, path, tool):
		"""A program that makes pass 3 fail without a message that names it: a translator crashed or hung."""
		left = pack.numbers
		while len(left) > 1:
			half = left[:len(left) // 2]
			left = half if self.fails_early(pack, half, path, tool) else left[len(half):]
		return left[0] if left and self.fails_early(pack, left, path, tool) else None

	def fails_early(self, pack, numbers, path, tool):
		with open(f"{path}/half.stp", "w") as file:
			file.write("".join(pack.texts[n] for n in numbers))
		ask = self.tools.tapc_answer if tool == "tap" else self.tools.stap_answer
		return ask(["-w", "half.stp"], path, 3).failed != 0

	def module(self, path, tool):
		if tool == "tap":
			return self.tools.tapc_answer(["-w", "-m", "tap", *LIMITS, "pack.stp"], path, 4)
		name = re.sub(r"\W", "_", f"s_{os.path.basename(path)}")
		early = self.tools.stap_answer(["-w", *LIMITS, "pack.stp"], path, 3)	# where its optimizer does not terminate, with a limit
		if early.failed:
			return early
		answer = self.tools.stap_answer(["-w", "-m", name, *LIMITS, *self.tools.stap_flags, "pack.stp"], path, 4, 400)
		if answer.failed == 0:
			os.rename(f"{path}/{name}.ko", f"{path}/stap.ko")
			with open(f"{path}/stap.name", "w") as file:
				file.write(name)
		return answer

	@staticmethod
	def culprit(pack, answer):
		at = re.search(r"pack\.stp:(\d+):\d+(?:: error)?", answer.messages)
		return pack.at_line(int(at.group(1))) if at else None

	def take_out(self, pack, number, path):
		pack.numbers.remove(number)
		self.ask(f"{pack.seed}:{number}", pack.texts[number], path)
		self.count(refused=1)

	# ---- verdicts ----

	@staticmethod
	def file(name, text, path):
		file = f"{name.replace(':', 'n')}.stp"
		with open(f"{path}/{file}", "w", errors="surrogateescape") as script:
			script.write(text)
		return file

	def ask(self, name, text, path):
		"""The results of both for one script at pass 2."""
		file = self.file(name, text, path)
		tapc = self.tools.tapc_answer(["-w", file], path)
		self.judge(name, text, tapc, self.tools.stap_verdict(tapc, ["-w", file], path))

	def judge(self, name, text, tapc, peer):
		if tapc.failed < 0 or tapc.failed != peer.failed:
			kind = "verdict" if tapc.failed < 0 or bool(tapc.failed) != bool(peer.failed) else "pass"
			self.report(Finding(kind, name, text, f"pass {tapc.failed}\n{tapc.messages}",
					    f"pass {peer.failed}\n{peer.messages}"))

	def run_verdicts(self, numbers, make, kind):
		"""All of them in one call; those that differ again, with the whole library and as many passes as needed."""
		path = make_job(self.directory, f"{kind}{self.seed}n{numbers[0]}")
		names = [f"{kind}{self.seed}:{number}" for number in numbers]
		texts = [make(self.seed, number) for number in numbers]
		files = [self.file(name, text, path) for name, text in zip(names, texts)]
		for name, text, file, peer in zip(names, texts, files, self.tools.stap_answers(files, path)):
			tapc = self.tools.tapc_answer(["-w", file], path)
			if tapc.failed != peer.failed:
				peer = self.tools.stap_verdict(tapc, ["-w", file], path)
			self.judge(name, text, tapc, peer)
		self.count(ran=len(numbers))
		self.report.progress(f"seed {self.seed}, {kind} {numbers[0]} to {numbers[-1]}: in all {self.ran}")
		shutil.rmtree(path)

	def run_broken(self, numbers):
		self.run_verdicts(numbers, grammar.broken, "broken")

	def run_whole(self, numbers):
		self.run_verdicts(numbers, grammar.program, "whole")
