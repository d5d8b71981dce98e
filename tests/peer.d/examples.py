# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether the rules of tests/differences still describe tapc, without SystemTap: each rule's example must be translated
as the rule says, and each of tapc's messages in its patterns must be in a line that a test expects."""

import glob
import re
import shlex
import subprocess

from campaign import Finding

MESSAGE = re.compile(r"[a-z]{3,} [a-z']")
QUANTIFIER = re.compile(r"[?*+{]")


# ---- messages ----

def closing(pattern, at):
	"""The index of the parenthesis that closes the one at AT."""
	depth, in_set = 0, False
	while at < len(pattern):
		c = pattern[at]
		if c == "\\":
			at += 1
		elif in_set:
			in_set = c != "]"
		elif c == "[":
			in_set = True
		elif c == "(":
			depth += 1
		elif c == ")":
			depth -= 1
			if depth == 0:
				return at
		at += 1
	raise SystemExit(f"tests/differences: '(' without ')' in {pattern}")


def branches(pattern):
	"""The pattern split at each | outside parentheses."""
	found, start, at = [], 0, 0
	while at < len(pattern):
		c = pattern[at]
		if c == "\\":
			at += 1
		elif c == "(":
			at = closing(pattern, at)
		elif c == "|":
			found.append(pattern[start:at])
			start = at + 1
		at += 1
	return found + [pattern[start:]]


def alternatives(pattern):
	"""Patterns that together match the same texts, without | except in repeated groups."""
	parts = branches(pattern)
	if len(parts) > 1:
		return [text for part in parts for text in alternatives(part)]
	at = 0
	while at < len(pattern):
		if pattern[at] == "\\":
			at += 1
		elif pattern[at] == "(":
			end = closing(pattern, at) + 1
			if not QUANTIFIER.match(pattern[end:]):
				inner = pattern[at + 1:end - 1].removeprefix("?:")
				return [pattern[:at] + one + rest for one in alternatives(inner) for rest in alternatives(pattern[end:])]
			at = end - 1
		at += 1
	return [pattern]


def messages(pattern):
	"""The alternatives for tapc's messages, from the word error or note on."""
	for text in alternatives(pattern):
		text = re.split(r"error: |note: ", text)[-1]
		if MESSAGE.search(text):
			yield text


def expected_lines(directory):
	paths = (path for end in ("err", "out", "sh", "host") for path in glob.glob(f"{directory}/*/*.{end}"))
	for path in paths:
		with open(path, errors="replace") as file:
			yield from file


def unexpected_messages(rules, directory):
	lines = "".join(expected_lines(directory))
	for rule in rules:
		for text in messages(rule.fields.get("tapc", "")):
			if not re.search(text, lines, re.M):
				yield f"{rule.title}: no test expects a message that matches: {text}"


# ---- examples ----

def words(text):
	"""The text from the start of each of its words on: a pattern may begin with ^, and the script may be a single call."""
	return [text[at.start():] for at in re.finditer(r"(?<!\w)[\w@(]", text)] + [text]


def run(command, *args):
	done = subprocess.run([*command, *args], stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False)
	return done.returncode, done.stdout, done.stderr


def translated(command, script):
	for number in (1, 2):
		status, _, messages_of = run(command, "-w", "-g", f"-p{number}", "-e", script)
		if status:
			return f"pass {number}\n{messages_of}"
	return "pass 0\n"


def simulated(command, script):
	"""What it prints, whole and each line in brackets, as calls of library functions are compared. Empty if it cannot be
	simulated, because it calls functions that read the kernel."""
	status, output, _ = run(command, "-w", "--simulate", "-e", script)
	return [output, *(f"[{line}]" for line in output.splitlines())] if status == 0 else []


def listed(command, name):
	return "has a place" if run(command, "-L", f"{name}?")[1].strip() else "no place"


def answers(command, rule):
	kind, example = rule.fields.get("kind"), rule.fields["example"]
	command = command + shlex.split(rule.fields.get("options", ""))
	if kind == "alias":
		return [listed(command, example)]
	if kind == "output" and "tapc" in rule.fields:
		return simulated(command, example) or [translated(command, example)]
	return [translated(command, example)]


def fits(rule, script, answer):
	"""As for a finding, but there is no result of SystemTap. A script whose output is compared must at least be accepted."""
	about_output = rule.fields.get("kind", "output") == "output"
	own = type(rule)(rule.title)
	own.fields = {name: text for name, text in rule.fields.items() if name != "SystemTap"}
	if about_output and answer == "pass 0\n":
		own.fields.pop("tapc", None)
	finding = Finding(rule.fields.get("kind", ""), "", script, answer, "")
	return own.explains(finding) or (not own.fields.keys() & {"tapc", "script"} and answer == "pass 0\n")


def wrong_examples(rules, command):
	for rule in rules:
		if "example" not in rule.fields:
			continue
		results = answers(command, rule)
		if not any(fits(rule, script, answer) for script in words(rule.fields["example"]) for answer in results):
			yield f"{rule.title}: does not explain its example, for which the result of tapc is: {results[0].strip()}"


def without_example(rules):
	for rule in rules:
		if "example" not in rule.fields and "no example" not in rule.fields:
			yield f"{rule.title}: has no example"
