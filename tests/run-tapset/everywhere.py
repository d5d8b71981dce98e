# Writes functions that call every function of the library: any(N) calls the N-th part of those that handlers can call
# at any time, alone(N) of those that have globals and therefore take locks, ask(N) of those allowed in conditions,
# which is C with /* pure */. The list is the library, so new functions are called, too. Arguments: its directory, the
# file to write, names to leave out.
import glob, re, sys

library, out, without = sys.argv[1], sys.argv[2], set(sys.argv[3:])
without |= {"exit", "abort", "error", "system"}	# functions that end the handler or the session, or run a program
GURU = ("/guru.stp", "/memory_write.stp")

FUNCTION = re.compile(r"^function\s+(\w+)(?::(long|string))?\s*\(([^)]*)\)\s*\n?(%\{[^\n]*)?", re.M)
NUMBERS = ["0", "1", "-1", "task_current()", "4096", "0xffffffffffffff00"]
PART = 25


def functions():
	for path in sorted(glob.glob(library + "/*.stp")):
		text = open(path).read()
		has_globals = re.search("^(private )?global", text, re.M)
		for name, kind, parameters, code in FUNCTION.findall(text):
			if name not in without and "/* guru */" not in code and not path.endswith(GURU):
				yield name, kind, [p.strip() for p in parameters.split(",") if p.strip()], code, has_globals


def argument(parameter, turn):
	if parameter.endswith(":string"):
		return ['""', '"rdi"'][turn % 2]
	return "task_current()" if turn == 1 and "task" in parameter else NUMBERS[turn % len(NUMBERS)]


def parts(name, statements, value):
	"""Each statement may fail. VALUE: the return value of a part."""
	count = -(-len(statements) // PART)
	for i in range(count):
		body = "\n".join("\ttry { %s } catch { }" % s for s in statements[i * PART:(i + 1) * PART])
		print("function %s_%d() {\n\todd = 0\n%s\n%s}" % (name, i, body, "\treturn odd\n" if value else ""), file=script)
	print("function %s(n) {" % name, file=script)
	for i in range(count):
		call = "return %s_%d()" if value else "{ %s_%d(); return 0 }"
		print("\tif (n %% %d == %d) %s" % (count, i, call % (name, i)), file=script)
	print("\treturn 0\n}", file=script)
	return count


handled, lonely, asked = [], [], []
for number, (name, kind, parameters, code, has_globals) in enumerate(functions()):
	for turn in sorted({0, 1 + number % 5}) if parameters else [0]:
		call = "%s(%s)" % (name, ", ".join(argument(p, turn) for p in parameters))
		value = {"long": call + " == -7654321", "string": call + ' == "odd"'}.get(kind)
		(lonely if has_globals else handled).append("if (%s) println(\"odd\")" % value if value else call)
		if "/* pure */" in code:
			asked.append("if (%s) odd++" % value)
script = open(out, "w")
count = parts("any", handled, False)
count = max(count, parts("alone", lonely, False))
parts("ask", asked, True)
print("function parts() { return %d }" % count, file=script)
print("%d calls in handlers, %d more alone, %d in conditions" % (len(handled), len(lonely), len(asked)))
