# SPDX-License-Identifier: GPL-2.0-or-later
"""What both modules of a document print, run one after the other in one guest under the same small workload. The output of
a script of begin and end probes is the same each time, so it is compared as it is. Other output depends on time and on
what the machine does: its shape is compared, which is the set of its lines without their data."""

import collections
import os
import re
import shutil
import threading

from campaign import Finding
from guest import Guest, make_job, read

# Files, processes, signals, sockets of the loopback device; the session ends with it.
WORKLOAD = """#!/bin/bash
cd /tmp
for round in 1 2; do
	cat /etc/passwd >workload.$$
	mv workload.$$ workload2.$$
	chmod 600 workload2.$$
	rm workload2.$$
	ls -l / >/dev/null
	(echo text >/dev/udp/127.0.0.1/9) 2>/dev/null
	(echo text >/dev/tcp/127.0.0.1/9) 2>/dev/null
	(trap : USR1; kill -USR1 $BASHPID)
	sleep 0.6
done
"""

NOT_RUN = re.compile(r"\bpanic\s*\(|\bpanic\b.*%\}|sysrq|kdb_enter|\bBUG\s*\(")
POINTS = re.compile(r"^\s*probe\s+([^{=]*)\{", re.M)
ALWAYS_THE_SAME = re.compile(r"(begin|end|error|never)(\s*\([^)]*\))?")
# Functions and variables whose values differ from run to run, or from machine to machine.
CHANGING = re.compile(r"\b(\w*gettime\w*|get_cycles|rand\w*|\w*(pid|tid|pgrp|sid|uid|gid|addr)|cpu\w*|jiffies|task_\w+|ctime|tz_\w+|"
		      r"\w*backtrace\w*|\w*stack\w*|\w*execname|module_\w+|local_clock\w*|\w*clock_\w+|get_loadavg\w*|\w*loadavg|"
		      r"proc_mem_\w+|mem_page_size|\w*regs?|env_var|pagefault\w*|uptime\w*|@cast|@var|kernel_\w+|user_\w+)\b|\$\w|%\{")

# A script that names programs was translated for those of the host; all others run in SystemTap's chroot with both.
NAMES_PROGRAMS = re.compile(r"\bprocess\(|@(cast|var)\(.*\"[./]")
# SystemTap's checks of the time that probes use depend on how slow the guest is.
LIMITS = ["-DSTP_NO_OVERLOAD"]

NUMBER = re.compile(r"[-+]?(0x[0-9a-fA-F]+|\b[0-9a-f]{12,16}\b|\d+(\.\d+)?)")
WORD = re.compile(r"[A-Za-z_][\w$]*")
LINE_END = re.compile(r"\n|(?=\x1b\[)")		# what is painted with escape sequences has no lines
DATA = re.compile(r"[\0\1](?:[-./:+~@#,*=]*[\0\1])*")


def is_fixed(text):
	"""Whether a script prints the same in each run."""
	points = [point for at in POINTS.findall(text) for point in at.split(",")]
	return bool(points) and all(ALWAYS_THE_SAME.fullmatch(point.strip()) for point in points) and not CHANGING.search(text)


def shape(output, script):
	"""The lines as a set: a number is N, words that the script's text does not have are W."""
	known = {*WORD.findall(script), "ERROR"}
	lines = set()
	for line in LINE_END.split(output):
		line = line.split(":")[0] if line.startswith("ERROR: ") else line	# worded otherwise
		line = re.sub(r"@+", "@", NUMBER.sub("\0", line))
		line = WORD.sub(lambda at: at.group(0) if at.group(0) in known else "\1", line)
		line = DATA.sub(lambda at: "W" if "\1" in at.group(0) else "N", line)
		line = re.sub(r"\b([NW])( [NW])+\b", r"\1", " ".join(line.split()))
		if line:
			lines.add(line)
	return lines


def differing(ours, theirs):
	"""Lines that all runs of one have and no run of the other has, as (of the first, of the second)."""
	return (sorted(set.intersection(*ours) - set.union(*theirs)), sorted(set.intersection(*theirs) - set.union(*ours)))


def in_order(some):
	"""Those that are quick to run and to judge first: (number, document)."""
	return sorted(enumerate(some), key=lambda item: not is_fixed(item[1].text))


class Outputs:
	"""Counts what became of each document."""

	def __init__(self, tools, scratch, report, seconds=120):
		self.tools, self.scratch, self.report, self.seconds = tools, scratch, report, seconds
		self.counts, self.lock, self.guests = collections.Counter(), threading.Lock(), 0
		self.guest = None

	def count(self, what):
		with self.lock:
			self.counts[what] += 1

	def ready_guest(self):
		"""A guest that runs; a crash ended the one before."""
		with self.lock:
			if not self.guest or self.guest.vm.poll() is not None:
				self.guests += 1
				self.guest = Guest(self.tools, make_job(self.scratch, f"guest{self.guests}"), self.seconds)
				path = f"{self.guest.directory}/workload"
				with open(path, "w") as file:
					file.write(WORKLOAD)
				os.chmod(path, 0o755)
			return self.guest

	def close(self):
		if self.guest:
			self.guest.close()

	def compare(self, number, document):
		if NOT_RUN.search(document.text):
			self.count("not run: stops the machine")
			return
		guest = self.ready_guest()
		job = f"d{number}"
		directory = f"{guest.directory}/{job}"
		if document.directory:
			shutil.copytree(document.directory, directory, symlinks=True)
		else:
			os.makedirs(directory)
		with open(f"{directory}/document.stp", "w", errors="surrogateescape") as file:
			file.write(document.text)
		what = self.build(document, directory) or self.judge(guest, job, document)
		self.count(what)
		self.report.progress(f"{document.name}: {what}; {sum(self.counts.values())} documents")
		shutil.rmtree(directory, ignore_errors=True)

	def build(self, document, directory):
		"""Builds both modules, or says why that cannot be."""
		words = ["-w", *LIMITS, *document.options, "document.stp", *document.args]
		ours = self.tools.tapc_answer(["-m", "tap", *words], directory, 4)
		if ours.failed and ours.failed < 4:
			return "not run: tapc refuses it"
		theirs = self.tools.stap_answer(["-m", "stap_peer", *self.tools.stap_flags, *words], directory, 4, 400)
		if theirs.failed:
			return f"not run: SystemTap fails in pass {theirs.failed}"
		if ours.failed:
			self.report(Finding("build", document.name, document.text, ours.messages, ""))
			return "differs: tapc fails in pass 4"
		os.rename(f"{directory}/stap_peer.ko", f"{directory}/stap.ko")
		with open(f"{directory}/stap.name", "w") as file:
			file.write("stap_peer")
		if not NAMES_PROGRAMS.search(document.text):
			with open(f"{directory}/tap.chroot", "w"):
				pass
		return None

	def run(self, guest, job, text):
		"""What tapc's module and SystemTap's print, and the error that ended them."""
		command = "-c /bin/true" if is_fixed(text) else "-c /tmp/pair/workload"
		trouble = guest.run(job, command, command)
		directory = f"{guest.directory}/{job}"
		both = []
		for side in ("tap", "stap"):
			failed = re.search(r"^ERROR: .*", read(f"{directory}/{side}.err"), re.M)
			output = read(f"{directory}/{side}.out") + (f"{failed.group(0)}\n" if failed else "")
			# SystemTap's paths are those outside of the chroot
			both.append(output.replace(f"{self.tools.root}/", "/").replace(self.tools.root, "/"))
		return trouble, *both

	@staticmethod
	def is_late(guest, job, side):
		"""Whether timeout(1) ended it."""
		return read(f"{guest.directory}/{job}/{side}.status").strip() in ("124", "137")

	def judge(self, guest, job, document):
		"""Shapes that differ are compared again, because a rare event may be missing in one run."""
		trouble, tapc, peer = self.run(guest, job, document.text)
		if trouble:
			self.report(Finding("trouble", document.name, document.text, trouble, peer))
			return "differs: trouble in the guest"
		if self.is_late(guest, job, "stap"):
			if not self.is_late(guest, job, "tap"):
				return "not comparable: SystemTap's module does not end in time"
		elif self.is_late(guest, job, "tap"):
			self.report(Finding("trouble", document.name, document.text, "tapc's module does not end in time", peer))
			return "differs: tapc's module does not end in time"
		if tapc == peer:
			return "the same output" if tapc else "not comparable: neither prints anything"
		if is_fixed(document.text):
			self.report(Finding("output", document.name, document.text, tapc, peer))
			return "differs: output"
		ours, theirs = [shape(tapc, document.text)], [shape(peer, document.text)]
		if any(differing(ours, theirs)):
			_, tapc_again, peer_again = self.run(guest, job, document.text)
			ours.append(shape(tapc_again, document.text))
			theirs.append(shape(peer_again, document.text))
		only = differing(ours, theirs)
		if not any(only):
			return "the same shape"
		mine, others = ("".join(f"{line}\n" for line in lines) for lines in only)
		self.report(Finding("shape", document.name, document.text, f"{mine}---- output ----\n{tapc}",
				    f"{others}---- output ----\n{peer}"))
		return "differs: shape"

	def summary(self):
		return "".join(f"\n  {number:5} {what}" for what, number in sorted(self.counts.items()))
