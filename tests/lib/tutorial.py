#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The commands of a tutorial in Markdown, compiled on the host and run in a guest.

tutorial.py build FILE	on the host: compile the modules into this directory, run what needs no module
tutorial.py run		in the guest: run the modules with taprun
tutorial.py show	in the guest: the same, but print what they print

A block ```sh is a command of the reader; one that begins with `tapc`, with or without `sudo`, is run, and the block
```output after it is what it prints. In it a number stands for any number, blanks for any blanks, the @ of a histogram
for any bar, and a line `...` for any lines. A block ```file NAME is saved for the commands after it."""
import json, os, re, shlex, subprocess, sys

RUN_OPTIONS = "-c", "-x", "-T"		# with an argument, of the loader


def blocks(path):
	text = open(path).read()
	return [(info, body) for info, body in re.findall(r"^```([^\n]*)\n(.*?)^```$", text, re.M | re.S) if info]


def commands(path):
	"""[command, expected output] of each block that runs tapc; saves the files of the other blocks"""
	found = []
	for info, body in blocks(path):
		word = re.sub(r"^(sudo )?", "", body.strip())
		if info.startswith("file "):
			with open(info[5:], "w") as f:
				f.write(body)
		elif info == "sh" and word.startswith("tapc "):
			found.append([word, ""])
		elif info == "output" and found:
			found[-1][1] = body
	return found


def pattern(expected):
	"""a regular expression for what the block of output stands for"""
	lines = []
	for line in expected.splitlines():
		if line.strip() == "...":
			lines.append(r"(?:.*\n)*?")
			continue
		words = [re.sub(r"0x[0-9a-f]+|\d+", "NUMBER", word) for word in line.split()]
		line = r"[ \t]+".join(re.escape(word).replace("NUMBER", "(?:0x[0-9a-f]+|[0-9]+)") for word in words)
		lines.append(r"[ \t]*" + re.sub(r"\\\|@+", r"\\|@+", line) + r"[ \t]*\n")
	return re.compile("".join(lines) + r"\Z")


def complain(command, expected, got):
	if pattern(expected).match(got):
		return False
	print(f"$ {command}\nexpected:\n{expected}got:\n{got}")
	return True


def split(command):
	"""the words for tapc and those for taprun"""
	words, loader, tapc = shlex.split(command)[1:], [], []
	while words:
		n = 2 if words[0] in RUN_OPTIONS else 1
		(loader if n == 2 else tapc).extend(words[:n])
		words = words[n:]
	return tapc, loader


def build(path):
	failed, modules = False, []
	given = shlex.split(os.environ["TAPC_ARGS"])
	for n, (command, expected) in enumerate(commands(path)):
		tapc, loader = split(command)
		lists = any(word in ("-l", "-L", "--bound", "--simulate") or word.startswith("--help") for word in tapc)
		module = [] if lists else ["-p4", "-m", f"lesson_{n}"]
		done = subprocess.run([os.environ["TAPC"], *given, *module, *tapc], capture_output=True, text=True,
				      stdin=subprocess.DEVNULL)
		if done.returncode or done.stderr:
			print(f"$ {command}\nexit status {done.returncode}\n{done.stderr}")
			failed = True
		elif lists:
			failed |= complain(command, expected, done.stdout)
		else:
			modules.append([command, expected, loader, f"lesson_{n}.ko"])
	with open("lessons.json", "w") as f:
		json.dump(modules, f)
	return failed or not modules


def run(show):
	failed = False
	with open("lessons.json") as f:
		lessons = json.load(f)
	for command, expected, loader, module in lessons:
		done = subprocess.run([os.environ["TAPRUN"], *loader, f"./{module}"], capture_output=True, text=True,
				      errors="replace", stdin=subprocess.DEVNULL)
		got = done.stdout + done.stderr		# the status may be that of the command of -c
		if show:
			print(f"$ {command}\n{got}")
		else:
			failed |= complain(command, expected, got)
	return failed


sys.exit(build(sys.argv[2]) if sys.argv[1] == "build" else run(sys.argv[1] == "show"))
