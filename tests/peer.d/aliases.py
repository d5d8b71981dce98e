# SPDX-License-Identifier: GPL-2.0-or-later
"""The probe aliases of both libraries: which of them have a place, and the names and types of their variables, as printed
by -L. Names that begin with _ are internal to the libraries."""

import re

from campaign import Finding

# Other names for syscall.*.
SAME = re.compile(r"(nd|nd1|nd2|dw|tp)_\w+\.")
PUBLIC = re.compile(r"[a-z]\w*(\.[a-zA-Z0-9]\w*|\.__\w+)*")
AT_ONCE = 40
VARIABLE = re.compile(r"(?<=\s)([A-Za-z]\w*):(\w+)")


def names(tools):
	"""Of all of SystemTap's aliases."""
	found = set()
	for line in tools.run_stap(["--dump-probe-aliases"], tools.scratch, cpu=60).stdout.splitlines():
		name = line.split(" = ")[0].strip()
		if PUBLIC.fullmatch(name) and not SAME.match(name):
			found.add(name)
	return sorted(found)


def listed(output):
	"""The output of -L: a dictionary of variables and types for each alias, without the $variables. If an alias has
	several points, the variables that all of them have."""
	aliases = {}
	for line in output.splitlines():
		name, _, variables = line.partition(" ")
		if name:
			variables = dict(VARIABLE.findall(" " + variables))
			aliases[name] = {v: kind for v, kind in variables.items() if v in aliases.get(name, variables)}
	return aliases


def of_tapc(tools, some):
	return listed(tools.run_tapc(["-L", ", ".join(f"{name}?" for name in some)], tools.scratch).stdout)


def of_stap(tools, some):
	return listed(tools.run_stap(["-L", ", ".join(f"{name}?" for name in some)], tools.scratch, cpu=600).stdout)


class Aliases:
	"""Compares several at a time; counts."""

	def __init__(self, tools, report):
		self.tools, self.report = tools, report
		self.places = self.variables = self.missing = self.typed = self.absent = 0

	def compare(self, some):
		here, there = of_tapc(self.tools, some), of_stap(self.tools, some)
		if not there:	# it may have reached its limit of processor time
			self.report(Finding("trouble", f"{some[0]}...", " ".join(some), "", "SystemTap lists none of them"))
		for name in some:
			if name in there:
				self.alias(name, here.get(name), there[name])

	def alias(self, name, here, there):
		self.places += 1
		self.variables += len(there)
		if here is None:
			self.absent += 1
			self.report(Finding("alias", name, name, "no place", "has a place"))
			return
		for variable, kind in sorted(there.items()):
			ours = here.get(variable)
			if ours == kind or (ours and kind == "unknown"):	# unknown to SystemTap
				continue
			self.missing += not ours
			self.typed += ours is not None
			self.report(Finding("alias", f"{name} {variable}", f"{name} {variable}", ours or "missing", kind))

	def summary(self):
		return (f"{self.places} aliases with {self.variables} variables: {self.missing} variables missing, {self.typed} of "
			f"another type, {self.absent} aliases without a place")
