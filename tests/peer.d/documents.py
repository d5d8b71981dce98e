# SPDX-License-Identifier: GPL-2.0-or-later
"""The scripts in SystemTap's documents, as installed by its packages in the chroot: the examples with the options in their
.meta files, and code in manual pages, guides and release notes: command lines, whole scripts, statements, and probe
points. Abbreviated code (stap -v, "...") is skipped if both refuse it."""

import glob
import gzip
import html
import os
import re
import shlex

MANUALS = "usr/share/man/man[13578]"
GUIDES = ["usr/share/doc/systemtap-doc/SystemTap_Beginners_Guide/*.html"]
NOTES = ["usr/share/doc/systemtap/*.gz", "usr/share/doc/systemtap/README*", "usr/share/systemtap/examples/README"]
CODE = re.compile(r"^\s*(probe|function|global|private|@define)\b", re.M)
POINT = re.compile(r"^(begin|end|error|never|timer|kernel|module|process|syscall|nd_syscall|perf|procfs|netfilter|vm|"
		   r"sched|vfs|socket|tcp|udp|ioscheduler|scsi|signal|stap|python[23]|java|hot|swprobe|input|user)[.(*]|^(begin|end|error|never)$")
SYNOPSIS = re.compile(r"\A\s*(function )?\w+(:\w+)? ?\([^;{}]*\)\s*\Z")
WITH_VALUE = {"-c", "-x", "-o", "-s", "-S", "-T", "-m", "-d", "-B", "-I", "-D", "-G", "-r", "-a", "-v", "-R", "-E", "-p", "-O"}


class Document:
	"""A script: its name, its text, the options, the arguments, and the directory of files that it may use."""

	def __init__(self, name, text, options=(), args=(), directory=None):
		self.name, self.text, self.options, self.args, self.directory = name, text, list(options), list(args), directory


def read(path):
	with (gzip.open if path.endswith(".gz") else open)(path, "rt", errors="replace") as file:
		return file.read()


# ---- examples ----

def meta(path):
	"""The check of an example: the options and arguments of `stap`."""
	text = re.search(r"^test_check: *(.*)$", read(path), re.M) if os.path.exists(path) else None
	return text.group(1) if text else ""


def example(path):
	line = meta(path[:-4] + ".meta")
	options, args = [], []
	words = line.split("|")[0].split(";")[-1]
	try:
		words = shlex.split(words)
	except ValueError:
		words = []
	name = os.path.basename(path)
	if "stap" in words:
		words = words[words.index("stap") + 1:]
	at = words.index(name) if name in words else len(words)
	options, args = split_options(words[:at])[0], words[at + 1:]
	while args and args[0].startswith("-"):
		more, _, rest = split_options(args)
		options, args = options + more, rest
	return Document("/".join(path.split("/")[-2:]), read(path), options, args, os.path.dirname(path))


def split_options(words):
	"""The options that affect the verdict, the text of -e, and the remaining words."""
	options, text, rest, words = [], None, [], list(words)
	while words:
		word = words.pop(0)
		if word == "-e" and words:
			text = words.pop(0)
		elif word == "-c" and words:
			options += ["-c", words.pop(0)]
		elif word[:2] in ("-G", "-D", "-I", "-d"):
			options += [word] if len(word) > 2 or not words else [word, words.pop(0)]
		elif re.fullmatch(r"-[a-z]*g[a-z]*(p\d)?", word):
			options.append("-g")
		elif word in ("-W", "-w", "-u", "-P") or word in ("--all-modules",):
			options.append(word)
		elif word in WITH_VALUE and word != "-v" and words:
			words.pop(0)
		elif not word.startswith("-"):
			rest.append(word)
			rest += words
			break
	return options, text, rest


# ---- text ----

ROFF = [(r"\\f[BIRP]", ""), (r"\\-", "-"), (r"\\[e\\]", r"\\"), (r"\\&", ""), (r"\\\(aq", "'"), (r"\\\(dq", '"'),
	(r"\\\(ti", "~"), (r"\\\(ha", "^"), (r"\\\(ga", "`"), (r"\\f\([A-Z]+", ""), (r"\\f\[\w*\]", ""), (r"\\ ", " "), (r"\\~", " ")]


def roff_line(line):
	if re.match(r"\.[BIR]{1,2} ", line):
		line = "".join(shlex_parts(line.split(" ", 1)[1])) if line[2] != " " else line.split(" ", 1)[1]
	elif line.startswith("."):
		return None
	for pattern, text in ROFF:
		line = re.sub(pattern, text, line)
	return line


def shlex_parts(line):
	return [a or b for a, b in re.findall(r'"([^"]*)"|(\S+)', line)]


def roff_blocks(text):
	"""The text between .SAMPLE, .nf or .EX and its end."""
	block = None
	for line in text.split("\n"):
		if re.match(r"\.(SAMPLE|nf|EX)\b", line) and not re.match(r"\.de", line):
			block = []
		elif re.match(r"\.(ESAMPLE|fi|EE)\b", line):
			if block:
				yield "\n".join(block)
			block = None
		elif block is not None:
			line = roff_line(line)
			if line is not None:
				block.append(line)


def html_blocks(text):
	for block in re.findall(r"<pre[^>]*>(.*?)</pre>", text, re.S):
		yield html.unescape(re.sub(r"<[^>]+>", "", block))


def indented_blocks(text):
	"""Paragraphs that are indented further than those before, and all lines that begin with a prompt."""
	for block in re.split(r"\n\s*\n", text):
		lines = block.split("\n")
		if CODE.match(lines[0]) and re.match(r"\s", lines[0]) or any(COMMAND.match(line) for line in lines):
			yield block


# ---- contents of a block ----

COMMAND = re.compile(r"^\s*([#$%]\s+)?(sudo\s+)?stap\s+.*-e\s")


def commands(block):
	text = re.sub(r"\\\n", " ", block)
	for at in re.finditer(r"^\s*(?:[#$%]\s+)?(?:sudo\s+)?(stap\s.*)", text, re.M | re.S):
		words = command_words(at.group(1))
		options, script, rest = split_options(words[1:])
		if script is not None:
			yield options, script, rest


def command_words(text):
	"""The words of the command: as many lines as its quotes span."""
	lines = text.split("\n")
	for n in range(1, len(lines) + 1):
		try:
			return shlex.split("\n".join(lines[:n]))
		except ValueError:
			pass
	return ["stap"]


def scripts(block):
	"""(options, text, arguments) of everything that can be tested."""
	found = list(commands(block))
	if found:
		yield from found
	elif SYNOPSIS.search(block):
		return
	elif CODE.search(block):
		yield [], block, []
	elif all(POINT.match(line.strip()) for line in block.split("\n") if line.strip()):
		for line in block.split("\n"):
			if line.strip():
				yield [], f"probe {line.strip()} {{ println(pp()) }}", []
	elif re.search(r"[;{}=(]", block):
		yield [], f"probe begin {{\n{block}\n}}", []


def in_files(root, patterns, blocks):
	for path in sorted(path for pattern in patterns for path in glob.glob(f"{root}/{pattern}")):
		number = 0
		for block in blocks(read(path)):
			for options, text, args in scripts(block):
				number += 1
				name = re.sub(r"(\.\w*stap\w*)?(\.gz|\.html)$", "", os.path.basename(path))
				yield Document(f"{name}/{number}", text, options, args)


def documents(root):
	"""All of them, in a stable order. Duplicate texts are tested once."""
	known = set()
	examples = sorted(glob.glob(f"{root}/usr/share/systemtap/examples/*/*.stp")) + \
		sorted(glob.glob(f"{root}/usr/share/doc/systemtap*/examples/*/*.stp"))
	manuals = [f"{MANUALS}/{name}" for name in ("*stap*.gz", "staprun*.gz", "error::*.gz", "warning::*.gz")]
	for document in [*map(example, examples), *in_files(root, manuals, roff_blocks),
			 *in_files(root, GUIDES, html_blocks), *in_files(root, NOTES, indented_blocks)]:
		key = (document.text.strip(), tuple(document.options), tuple(document.args))
		if key not in known:
			known.add(key)
			yield document
