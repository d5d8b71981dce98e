# SPDX-License-Identifier: GPL-2.0-or-later
"""The intended differences, tests/differences, as rules and as a page."""

import re

FIELDS = ("kind", "tapc", "SystemTap", "script", "reason", "example", "options", "no example")


class Difference:
	def __init__(self, title):
		self.title, self.fields = title, {}

	def explains(self, finding):
		"""Whether all its patterns match."""
		if self.fields.get("kind", finding.kind) != finding.kind or not (self.fields.keys() & {"tapc", "SystemTap", "script"}):
			return False
		texts = {"tapc": finding.tapc, "SystemTap": finding.peer, "script": finding.script}
		return all(re.search(self.fields[name], text, re.M) for name, text in texts.items() if name in self.fields)


def load(path):
	"""Paragraphs: a title, then lines `field: text`, which continue in lines that begin with a tab."""
	rules, field = [], None
	with open(path) as file:
		for number, line in enumerate(file, 1):
			line = line.rstrip("\n")
			if line.startswith("#") or not line:
				field = None
			elif line.startswith("\t"):
				rules[-1].fields[field] += " " + line.strip()
			elif line.split(":")[0] in FIELDS and rules:
				field, text = line.split(":", 1)
				rules[-1].fields[field] = text.strip()
			else:
				rules.append(Difference(line))
			if line.startswith("\t") and field is None:
				raise SystemExit(f"{path}:{number}: this line goes on from nothing")
	for rule in rules:
		if "reason" not in rule.fields:
			raise SystemExit(f"{path}: no reason for '{rule.title}'")
	return rules


HEAD = """# Intended differences from SystemTap

Generated from `tests/differences` by `tests/peer --page`. `tests/peer` runs scripts with both, here SystemTap 5.6, and
counts differences that are not in this list.
"""


def page(rules):
	text = HEAD
	for rule in rules:
		text += f"\n## {rule.title}\n\n{rule.fields['reason']}\n"
		if "example" in rule.fields:
			options = f"tapc {rule.fields['options']} -e " if "options" in rule.fields else ""
			text += f"\n    {options}{rule.fields['example']}\n"
	return text
