# SPDX-License-Identifier: GPL-2.0-or-later
"""Random programs in the language, the same for the same seed and number.

A program has separate globals, functions, macros and begin and end probes, whose names contain its number, so that many
of them fit in one script. Its output is the same in every run and between markers. Programs avoid what the language
does not define: an expression has at most one side effect, on a variable that is not read elsewhere in the statement;
no array changes inside a foreach over it; messages of run-time errors are printed only if the script created them;
nothing depends on the order of elements that sort equal, or of elements of an aggregate, or on whether sorting changes
the order of an array and the element that a full array drops.
"""

import random
import re

LONGS = ["0", "1", "2", "3", "5", "7", "8", "10", "16", "63", "100", "255", "256", "1000", "65535", "0x10", "0xff",
	 "0x7fffffff", "0x80000000", "0xffffffff", "2147483648", "4294967296", "010", "0777", "9223372036854775807",
	 "0x7fffffffffffffff", "0x8000000000000000", "0xffffffffffffffff", "1234567890123"]
WORDS = ["a", "b", "ab", "abc", "x", "foo", "bar", "foobar", "Hello", "world", "0", "1", "12", "-7", "0x1f", "017",
	 "", " ", "a b c", "one,two,,three", "UPPER lower", "tab\\there", "new\\nline", "q\\\"q", "back\\\\slash",
	 "\\101\\102", "per%%cent", "aaaaaaaaaa", "zzz", "é", "a\\r\\a\\b\\f\\v", "\\377\\200", "$x @y #z", "9999999999"]
PATTERNS = ["a", "^a", "a$", "^$", "b*", "a+b", "fo?o", "[a-c]+", "[^a-c]", "(foo|bar)", "(o)(r|b)", "^(.)(.*)$", ".",
	    "x|y|z", "[0-9]+", "([0-9]+),?", "a.c", "(a|ab)(c|bcd)?", "[[:digit:]]", "[[:alpha:]_]+", "o{2}", "o{1,3}b",
	    "\\\\.", "(a*)*", "((a)|(b))+", "[]x]", "l+", "^[A-Z]", "(.)(.)(.)$"]
EMPTY = '""'
COMPARE = ["<", "<=", ">", ">=", "==", "!="]
ASSIGN = ["=", "+=", "-=", "*=", "&=", "|=", "^="]
STATS = ["@count", "@sum", "@min", "@max", "@avg", "@variance"]


class Array:
	"""A global array: its name, the types of its keys, and of its values: long, string or stat; whether only the end
	of the program may sort it."""

	def __init__(self, name, keys, value, text, unsorted):
		self.name, self.keys, self.value, self.text, self.unsorted = name, keys, value, text, unsorted


class Function:
	def __init__(self, name, params, result, pure=True):
		self.name, self.params, self.result, self.pure = name, params, result, pure


class Program:
	def __init__(self, seed, number):
		self.r = random.Random(f"{seed}:{number}")
		self.number = number
		self.longs, self.strings, self.scratch = [], [], []
		self.arrays, self.stats, self.functions, self.macros = [], [], [], []
		self.globals, self.iterated, self.loops, self.fresh = [], [], 0, 0
		self.in_function = None
		self.shapes = {}
		self.effect = False		# the statement has already had its side effect
		self.accumulating = False	# SystemTap 5.6 aborts at a bucket of an aggregate within `<<<` to that aggregate
		self.head = []

	# ---- dice ----

	def chance(self, percent):
		return self.r.randrange(100) < percent

	def pick(self, items):
		return items[self.r.randrange(len(items))]

	def weighted(self, table):
		"""A random one of (weight, function)s."""
		at = self.r.randrange(sum(weight for weight, _ in table))
		for weight, make in table:
			at -= weight
			if at < 0:
				return make
		return None

	def name(self, kind):
		self.fresh += 1
		return f"{kind}{self.number}_{self.fresh}"

	def local(self, kind):
		self.fresh += 1
		return f"{kind}{self.fresh}"

	# ---- literals ----

	def string_literal_with_text(self):
		return '"' + self.pick([word for word in WORDS if word]) + '"'

	def long_literal(self):
		text = self.pick(LONGS) if self.chance(60) else str(self.r.randrange(-20, 200))
		return f"(-{text[1:]})" if text[0] == "-" else f"(-{text})" if self.chance(10) else text

	def small(self, low=0, high=12):
		return str(self.r.randrange(low, high))

	def string_literal(self):
		text = '"' + self.pick(WORDS) + '"'
		return text + ' "' + self.pick(WORDS) + '"' if self.chance(5) else text

	# ---- numbers ----

	def long(self, depth=3):
		if depth <= 0 or self.chance(20):
			return self.weighted([(5, self.long_literal), (8, self.long_variable)])()
		make = self.weighted([
			(14, self.arithmetic), (6, self.divided), (5, self.shifted), (8, self.compared), (5, self.logical),
			(5, self.unary), (6, self.long_choice), (6, self.long_element), (4, self.member), (6, self.long_library),
			(5, self.long_call), (3, self.matched), (4, self.counted), (4, self.long_effect), (2, self.long_macro),
			(2, self.flat)])
		return make(depth - 1)

	def long_variable(self):
		return self.pick(self.longs) if self.longs else self.long_literal()

	def arithmetic(self, depth):
		return f"({self.long(depth)} {self.pick(['+', '-', '*', '&', '|', '^'])} {self.long(depth)})"

	def divided(self, depth):
		by = self.pick(["2", "3", "-1", "7", "10", "1000", "-5"]) if self.chance(85) else self.long(depth)
		# for % 1 and % -1 SystemTap 5.6 omits the left operand, with its errors
		return f"({self.long(depth)} {'/' if by == '-1' else self.pick(['/', '%'])} {by})"

	def shifted(self, depth):
		by = self.small(0, 64) if self.chance(70) else f"({self.long(depth)} & 63)"
		return f"({self.long(depth)} {self.pick(['<<', '>>'])} {by})"

	def compared(self, depth):
		if self.chance(60):
			return f"({self.long(depth)} {self.pick(COMPARE)} {self.long(depth)})"
		return f"({self.string(depth)} {self.pick(COMPARE)} {self.no_literal()})"

	def logical(self, depth):
		return f"({self.long(depth)} {self.pick(['&&', '||'])} {self.long(depth)})"

	def unary(self, depth):
		return f"({self.pick(['-', '~', '!', '+', '- -', '!!', '~-'])}{self.long(depth)})"

	def long_choice(self, depth):
		return f"({self.long(depth)} ? {self.long(depth)} : {self.long(depth)})"

	def flat(self, depth):
		"""Operators without parentheses, to test precedence."""
		parts = [self.pick(["", "", "-", "~", "!"]) + self.long(0)]
		for _ in range(self.r.randrange(2, 6)):
			op = self.pick(["+", "-", "*", "&", "|", "^", "<", ">", "<=", ">=", "==", "!=", "&&", "||"])
			parts += [op, self.pick(["", "", "", "-", "~", "!"]) + self.long(0)]
		if self.chance(25):
			parts += ["?", self.long(0), ":", self.long(0)]
		return "(" + " ".join(parts) + ")"

	def arrays_of(self, value):
		return [a for a in self.arrays if a.value == value]

	def key(self, array, depth):
		return ", ".join(self.key_part(kind, depth) for kind in array.keys)

	def key_part(self, kind, depth=1):
		if kind == "long":
			return self.small(0, 6) if self.chance(75) else self.long(depth)
		return '"' + self.pick(["a", "b", "c", "foo", ""]) + '"' if self.chance(75) else self.string(depth)

	def long_element(self, depth):
		arrays = self.arrays_of("long")
		if not arrays:
			return self.long(depth)
		array = self.pick(arrays)
		return f"{array.name}[{self.key(array, depth)}]"

	def member(self, depth):
		if not self.arrays:
			return self.long(depth)
		array = self.pick(self.arrays)
		keys = ["*" if len(array.keys) > 1 and self.chance(25) else self.key_part(kind, depth) for kind in array.keys]
		text = keys[0] if len(keys) == 1 and self.chance(50) else "[" + ", ".join(keys) + "]"
		return f"({text} in {array.name})"

	def long_library(self, depth):
		return self.weighted([
			(6, lambda: f"strlen({self.string(depth)})"),
			(4, lambda: f"strtol({self.digits()}, {self.pick(['0', '8', '10', '16', '2'])})"),
			# a byte above 127 is negative in SystemTap
			(4, lambda: f"(stringat({self.string(depth)}, {self.small(-1, 8)}) & 127)"),
			(4, lambda: f"isinstr({self.string(depth)}, {self.string(depth)})"),
			(2, lambda: f"isdigit({self.string(depth)})"),
			(2, lambda: f"ngroups()") if self.chance(10) else (2, lambda: f"strlen({self.string(depth)})"),
		])()

	def digits(self):
		"""For strtol: without leading blanks, and not too many digits, since tests/differences has both."""
		if self.strings and self.chance(50):
			return f"(\"1\" . substr({self.string_variable()}, 0, 8))"
		return '"' + self.pick([word for word in WORDS if word != " "]) + '"'

	def long_call(self, depth):
		return self.call("long", depth) or self.long(depth)

	def call(self, result, depth):
		choice = [f for f in self.functions if f.result == result and (f.pure or not self.effect)]
		if not choice or self.in_function:
			return None
		function = self.pick(choice)
		self.effect = self.effect or not function.pure
		args = [self.small(0, 7) if kind == "count" else self.expression(kind, depth) for kind in function.params]
		return f"{function.name}({', '.join(args)})"

	def matched(self, depth):
		return f"({self.string(depth)} {self.pick(['=~', '=~', '!~'])} \"{self.pick(PATTERNS)}\")"

	def counted(self, depth):
		op = self.pick(STATS)
		what = self.stat(depth)
		if not what:
			return self.long(depth)
		extra = f", {len(what.split('[')[0]) % 4}" if op == "@variance" else ""		# the same for each variable
		if self.chance(12) and not self.accumulating:
			bucket = self.small(-2, 12)
			return f"{self.shaped(what)}[{bucket}]"
		# SystemTap's variance is off by rounding at each value
		return f"{op}({what}{extra})" if op != "@variance" else f"({op}({what}{extra}) != 0)"

	def shaped(self, what):
		"""The kind of histogram of a variable."""
		name = what.split("[")[0]
		if name not in self.shapes:
			low, step = self.r.randrange(-10, 10), self.pick([1, 5, 10, 100])
			self.shapes[name] = self.pick(["log", f"{low}, {low + step * self.r.randrange(1, 12)}, {step}"])
		shape = self.shapes[name]
		return f"@hist_log({what})" if shape == "log" else f"@hist_linear({what}, {shape})"

	def stat(self, depth=1):
		arrays = self.arrays_of("stat")
		if self.stats and (not arrays or self.chance(60)):
			return self.pick(self.stats)
		if not arrays:
			return None
		array = self.pick(arrays)
		return f"{array.name}[{self.key(array, depth)}]"

	def long_effect(self, depth):
		if self.effect or not self.scratch:
			return self.long(depth)
		self.effect = True
		target = self.pick(self.scratch)
		arrays = [a for a in self.arrays_of("long") if a.name not in self.iterated and a.text == "scratch"]
		if arrays and self.chance(40):
			target = f"{arrays[0].name}[{self.key(arrays[0], 0)}]"
		return self.pick([f"{target}++", f"++{target}", f"{target}--", f"--{target}",
				   f"({target} {self.pick(ASSIGN)} {self.long(depth)})"])

	def long_macro(self, depth):
		if not self.macros:
			return self.conditional(depth)
		name, params = self.pick(self.macros)
		args = ", ".join(self.long(0) for _ in range(params))
		return f"@{name}({args})" if params else f"@{name}"

	def conditional(self, depth):
		test = self.pick(["1 == 1", "2 < 1", '"a" == "b"', 'kernel_v >= "5.0"', 'kernel_v < "3.0"',
				  'arch == "x86_64"', "1 <= 2 && 3 != 3", "0 == 1 || 1 >= 1", 'kernel_v == "*"'])
		return f"%( {test} %? {self.long(0)} %: {self.long(0)} %)"

	# ---- strings ----

	def string(self, depth=3):
		if depth <= 0 or self.chance(25):
			return self.weighted([(5, self.string_literal), (6, self.string_variable)])()
		make = self.weighted([
			(10, self.joined), (8, self.sprinted), (6, self.cut), (4, self.string_choice), (6, self.string_element),
			(8, self.string_library), (4, self.string_call), (2, self.group)])
		return make(depth - 1)

	def string_variable(self):
		return self.pick(self.strings) if self.strings else self.string_literal()

	def no_literal(self):
		"""For the right side. SystemTap 5.6 compares concatenations of literals as written, with escape sequences,
		and never terminates with (literal . literal) within another concatenation."""
		return self.string_variable() if self.strings else f"sprint({self.long(1)})"

	def joined(self, depth):
		"""Joining with nothing on the left within another joining is what SystemTap 5.6 never ends with."""
		left = self.string(depth)
		return f"({self.string_literal_with_text() if left == EMPTY else left} . {self.no_literal()})"

	def sprinted(self, depth):
		if self.chance(60):
			return "sprintf(" + self.format(depth) + ")"
		return self.weighted([
			(3, lambda: f"sprint({self.mixed(depth)})"), (2, lambda: f"sprintln({self.mixed(depth)})"),
			(2, lambda: f"sprintd({self.string_literal()}, {self.mixed(depth)}, {self.mixed(depth)})"),
			(1, lambda: f"sprintdln({self.string_literal()}, {self.mixed(depth)}, {self.mixed(depth)})")])()

	def mixed(self, depth):
		return ", ".join(self.expression(self.pick(["long", "string"]), depth) for _ in range(self.r.randrange(1, 4)))

	def cut(self, depth):
		return f"substr({self.string(depth)}, {self.small(-1, 6)}, {self.small(-1, 9)})"

	def string_choice(self, depth):
		return f"({self.long(depth)} ? {self.string(depth)} : {self.string(depth)})"

	def string_element(self, depth):
		arrays = self.arrays_of("string")
		if not arrays:
			return self.string(depth)
		array = self.pick(arrays)
		return f"{array.name}[{self.key(array, depth)}]"

	def string_library(self, depth):
		return self.weighted([
			(4, lambda: f"str_replace({self.string(depth)}, {self.string(0)}, {self.string(depth)})"),
			(3, lambda: f"text_str({self.string(depth)})"),
			(3, lambda: f"text_strn({self.string(depth)}, {self.small(0, 20)}, {self.small(0, 2)})"),
			(3, lambda: f"string_quoted({self.string(depth)})"),
			(2, lambda: f"errno_str({self.small(1, 40)})"),
			(2, lambda: f"tokenize({self.string(depth)}, {self.string_literal()})")])()

	def string_call(self, depth):
		return self.call("string", depth) or self.string(depth)

	def group(self, depth):
		return f"({self.string(depth)} =~ \"{self.pick(PATTERNS)}\" ? matched({self.small(0, 2)}) : \"no\")"

	def expression(self, kind, depth):
		return self.long(depth) if kind == "long" else self.string(depth)

	# ---- formats ----

	def format(self, depth=2):
		text, args = "", []
		for _ in range(self.r.randrange(1, 5)):
			text += self.pick(["", " ", "[", "|", "x=", ", ", "\\t", "%%"])
			text += self.directive(args, depth)
		return ", ".join(['"' + text + self.pick(["", "]", "|"]) + '"'] + args)

	def directive(self, args, depth):
		kind = self.pick(["d", "d", "d", "i", "u", "x", "x", "X", "o", "p", "s", "s", "s", "c"])
		# at most one, which all accept; tests/differences has the rules for combinations
		flags = self.pick(["", "", "-", "+", " "] + ([] if kind == "s" else ["0", "#"]))
		width = self.width(args)
		precision = "." + self.width(args, True) if self.chance(20) and flags not in ("0", "#") else ""
		if kind == "s" and precision == ".":
			precision = ".0"
		if kind == "s":
			args.append(self.string(depth))
		elif kind == "c":
			args.append(self.pick(["65", "97", "48", "126", "32", "10", "7", "200", "27", "92", "34"]))
		else:
			args.append(self.long(depth))
		return "%" + flags + width + precision + kind

	def width(self, args, precision=False):
		if self.chance(60) and not precision:
			return ""
		if self.chance(15):
			args.append(self.small(0, 14))
			return "*"
		return self.pick(["1", "2", "4", "5", "8", "12", "20"] + (["0", ""] if precision else []))

	# ---- statements ----

	def statement(self, depth):
		self.effect = False
		table = [(16, self.print_statement), (14, self.assign), (6, self.assign_string), (10, self.store),
			 (6, self.accumulate), (4, self.remove), (3, self.histogram), (3, self.expression_statement), (1, self.empty)]
		if depth > 0:
			table += [(9, self.if_statement), (6, self.loop), (9, self.foreach), (4, self.try_statement), (2, self.block)]
		if self.loops:
			table += [(3, self.leave)]
		return self.weighted(table)(depth)

	def statements(self, depth, most=4):
		return [line for _ in range(self.r.randrange(1, most + 1)) for line in self.statement(depth)]

	def body(self, depth):
		"""The body of a condition: a block, or one statement."""
		lines = self.statements(depth - 1, 3)
		return ["{"] + ["\t" + line for line in lines] + ["}"]

	def print_statement(self, depth):
		return [self.weighted([
			(8, lambda: f"printf({self.format()})"), (8, lambda: f"println({self.mixed(3)})"),
			(3, lambda: f"print({self.mixed(2)})"),
			(2, lambda: f"printd({self.string_literal()}, {self.mixed(2)}, {self.mixed(1)})"),
			(2, lambda: f"printdln({self.string_literal()}, {self.mixed(2)}, {self.mixed(1)})")])() + self.pick(["", ";"])]

	def assign(self, depth):
		if not self.longs:
			return self.print_statement(depth)
		target = self.pick([v for v in self.longs])
		op = self.pick(ASSIGN + ["=", "=", "="])
		if self.chance(15):
			# an operator at the start of a line belongs to the previous line if that ends with a value
			return [self.pick([f"{target}++", f"; ++{target}", f"{target}--", f"; --{target}"])]
		if self.chance(10):
			return [f"{target} {self.pick(['<<=', '>>='])} {self.small(0, 64)}"]
		if self.chance(10):
			return [f"{target} {self.pick(['/=', '%='])} {self.pick(['3', '7', '-2', self.long(1)])}"]
		return [f"{target} {op} {self.long(3)}"]

	def assign_string(self, depth):
		if not self.strings:
			return self.print_statement(depth)
		return [f"{self.pick(self.strings)} {self.pick(['=', '=', '.='])} {self.string(3)}"]

	def store(self, depth):
		arrays = [a for a in self.arrays if a.value != "stat" and a.name not in self.iterated]
		if not arrays:
			return self.assign(depth)
		array = self.pick(arrays)
		element = f"{array.name}[{self.key(array, 1)}]"
		if array.value == "string":
			return [f"{element} {self.pick(['=', '.='])} {self.string(2)}"]
		if self.chance(30):
			return [element + self.pick(["++", "--"])]
		return [f"{element} {self.pick(ASSIGN + ['=', '='])} {self.long(2)}"]

	def accumulate(self, depth):
		arrays = [a for a in self.arrays_of("stat") if a.name not in self.iterated]
		if not arrays and not self.stats:
			return self.assign(depth)
		self.accumulating = True
		if self.stats and (not arrays or self.chance(50)):
			line = f"{self.pick(self.stats)} <<< {self.long(2)}"
		else:
			array = self.pick(arrays)
			line = f"{array.name}[{self.key(array, 1)}] <<< {self.long(1)}"
		self.accumulating = False
		return [line]

	def remove(self, depth):
		arrays = [a for a in self.arrays if a.name not in self.iterated]
		if self.stats and self.chance(15):
			return [f"delete {self.pick(self.stats)}"]
		if not arrays:
			return [f"delete {self.pick(self.globals)}"] if self.globals and not self.in_function else [";"]
		array = self.pick(arrays)
		if self.chance(15):
			return [f"delete {array.name}"]
		keys = ["*" if len(array.keys) > 1 and self.chance(35) else self.key_part(kind) for kind in array.keys]
		return [f"delete {array.name}[{', '.join(keys)}]"]

	def histogram(self, depth):
		what = self.stat()
		if not what:
			return self.print_statement(depth)
		# that of an empty aggregate is an error in SystemTap
		return [f"if (@count({what})) print({self.shaped(what)})"]

	def expression_statement(self, depth):
		call = self.call(self.pick(["long", "string"]), 2)
		if not call:
			return self.assign(depth)
		# a call without effect is removed by SystemTap, with the errors of its arguments
		name = call.split("(")[0]
		return [call if any(f.name == name and not f.pure for f in self.functions) else f"println({call})"]

	def empty(self, depth):
		return [self.pick([";", "{ }", "{ ; }", "# a comment", "/* another */", "// a third"])]

	def if_statement(self, depth):
		lines = [f"if ({self.long(3)})"] + self.body(depth)
		if self.chance(40):
			lines += ["else"] + self.body(depth)
		return lines

	def loop(self, depth):
		i = self.local("i")
		times = self.r.randrange(0, 6)
		self.loops += 1
		if self.chance(60):
			head = [self.pick([f"for ({i} = 0; {i} < {times}; {i}++)", f"for ({i} = {times}; {i} > 0; {i}--)",
					   f"for ({i} = 0; {i} <= {times * 2}; {i} += 2)"])]
		else:
			head = [f"{i} = {times}", f"while ({i}-- > 0)"]
		self.longs.append(i)	# readable; changes to it are undone below
		inner = self.body(depth)
		self.longs.remove(i)
		self.loops -= 1
		return head + [line for line in inner] if self.keeps(i, inner) else self.print_statement(depth)

	@staticmethod
	def keeps(i, lines):
		"""True if no line changes the loop's variable, so that the loop terminates."""
		for line in lines:
			line = line.strip().lstrip("; ")
			for op in ASSIGN + ["<<=", ">>=", "/=", "%=", ".="]:
				if line.startswith(f"{i} {op} "):
					return False
			if line.startswith((f"{i}++", f"{i}--", f"++{i}", f"--{i}", f"delete {i}")):
				return False
		return True

	def foreach(self, depth):
		arrays = [a for a in self.arrays if a.name not in self.iterated]
		if not arrays or len(self.iterated) > 1:
			return self.loop(depth)
		array = self.pick(arrays)
		if not array.unsorted and (len(array.keys) > 1 or self.chance(30)):
			return self.foreach_value(array)
		names = [self.local("k") for _ in array.keys]
		text, value = self.foreach_head(array, names)
		kept = (list(self.longs), list(self.strings))
		for name, kind in zip(names, array.keys):
			(self.longs if kind == "long" else self.strings).append(name)
		if value:
			(self.longs if array.value == "long" else self.strings).append(value)
		self.iterated.append(array.name)
		self.loops += 1
		shown = [self.keys_line(names)] if self.chance(70) else []
		inner = self.body(depth) if self.chance(60) or not shown else ["{", "}"]
		inner[1:1] = ["\t" + line for line in shown]
		self.loops -= 1
		self.iterated.pop()
		self.longs, self.strings = kept
		return [text] + inner

	@staticmethod
	def keys_line(names):
		return "printdln(\" \", " + ", ".join(names if len(names) > 1 else names + ['""']) + ")"

	def foreach_value(self, array):
		"""Sorted by a value that may be equal: only that is printed."""
		names = [self.local("k") for _ in array.keys]
		marks, operator = [""] * len(names), ""
		at, sign = self.r.randrange(len(names) + 1), self.pick(["+", "-"])
		element = f"{array.name}[{', '.join(names)}]"
		if at < len(names):
			marks[at], shown = sign, names[at]
		else:
			operator, shown = sign, element
			if array.value == "stat":
				by = self.pick(["@count", *STATS[:5]])
				operator, shown = (f" {by} {sign}" if by != "@count" or self.chance(50) else sign), f"{by}({element})"
		text = ", ".join(name + mark for name, mark in zip(names, marks))
		limit = f" limit {self.small(0, 5)}" if self.chance(40) else ""
		return [f"foreach ([{text}] in {array.name}{operator}{limit})", f"\tprintdln(\" \", \"by\", {shown})"]

	def foreach_head(self, array, names):
		marks = [""] * (len(names) + 1)
		if not array.unsorted:
			marks[0] = self.pick(["+", "-"])
		text = ", ".join(name + mark for name, mark in zip(names, marks))
		if len(names) > 1 or self.chance(30):
			text = "[" + text + "]"
		value = ""
		if array.value != "stat" and self.chance(30):
			value = self.local("v")
			text = f"{value} = {text}"
		text = f"foreach ({text} in {array.name}"
		if len(names) > 1 and self.chance(20):
			text += "[" + ", ".join("*" if self.chance(60) else self.key_part(kind, 0) for kind in array.keys) + "]"
		if self.chance(30):
			text += f" limit {self.small(0, 5)}"
		return text + ")", value

	def try_statement(self, depth):
		error = self.pick([f"error({self.string(1)})", f"println({self.long_literal()} / ({self.long(1)} & 0))", ""])
		lines = ["try"] + self.body(depth)
		if error and self.chance(60):
			lines[-1:] = ["\t" + error, "}"]
		message = self.local("e")
		lines += [self.pick([f"catch ({message})", "catch"]), "{", "\tprintln(\"caught\")"]
		if error.startswith("error") and lines[-3] != "catch" and self.chance(30):
			lines += [f'\tif ({message} == "foo") println({message})']
		return lines + ["\t" + line for line in self.statements(depth - 1, 2)] + ["}"]

	def block(self, depth):
		return self.body(depth)

	def leave(self, depth):
		return [f"if ({self.long(2)}) {self.pick(['break', 'continue'])}"]

	# ---- declarations ----

	def declare_globals(self):
		for _ in range(self.r.randrange(0, 3)):
			self.declare_scalar()
		for _ in range(self.r.randrange(0, 4)):
			self.declare_array()
		if self.chance(45):
			self.stats.append(self.name("s"))
			self.head.append(f"global {self.stats[-1]}")
		if self.chance(50):
			self.scratch.append(self.name("w"))
			self.head.append(f"global {self.scratch[-1]}")

	def declare_scalar(self):
		name = self.name("g")
		self.globals.append(name)
		word = self.pick(["global", "global", "private"])
		if self.chance(60):
			self.longs.append(name)
			self.head.append(f"{word} {name}" + self.pick(["", " = 5", " = -1", " = 0x7f"]))
		else:
			self.strings.append(name)
			self.head.append(f"{word} {name}" + self.pick(["", ' = "init"', ' = ""']))

	def declare_array(self):
		keys = [self.pick(["long", "string"]) for _ in range(self.pick([1, 1, 1, 2, 2, 3]))]
		value = self.pick(["long", "long", "string", "stat"])
		size = self.pick(["", "", "", "[100]", "%[4]", "[2]", "%[3]", "%"])
		text = "scratch" if value == "long" and self.chance(30) else ""
		unsorted = value != "stat" and ("%" in size or self.chance(40))
		self.arrays.append(Array(self.name("m"), keys, value, text, unsorted))
		self.head.append(f"global {self.arrays[-1].name}{size}")

	def declare_macros(self):
		if self.chance(15):
			name = self.name("d")
			params = self.r.randrange(0, 3)
			names = ["abc"[n] for n in range(params)]
			parts = [f"@{n}" for n in names] + [self.small(1, 50)]
			self.head.append(f"@define {name}" + (f"({', '.join(names)})" if names else "") +
					 " %( (" + self.pick([" + ", " * ", " | "]).join(parts) + ") %)")
			self.macros.append((name, params))

	def declare_functions(self):
		for _ in range(self.r.randrange(0, 3)):
			self.weighted([(5, self.plain_function), (2, self.recursive_function), (2, self.overloads), (2, self.loud_function)])()

	def inside(self, params, result, make):
		"""Evaluates MAKE with the parameters as the only variables."""
		kept = (self.longs, self.strings, self.scratch, self.arrays, self.stats, self.loops, self.macros)
		self.longs = [name for name, kind in params if kind == "long"]
		self.strings = [name for name, kind in params if kind == "string"]
		self.scratch, self.arrays, self.stats, self.loops = [], [], [], 0
		self.in_function = result
		lines = make()
		self.in_function = None
		self.longs, self.strings, self.scratch, self.arrays, self.stats, self.loops, self.macros = kept
		return lines

	def signature(self, name, params, result):
		typed = self.chance(50)
		text = ", ".join(p + (":" + kind if typed or self.chance(30) else "") for p, kind in params)
		word = "private function" if self.chance(10) else "function"
		return f"{word} {name}{':' + result if typed or self.chance(30) else ''}({text})"

	def plain_function(self):
		result = self.pick(["long", "string"])
		params = [(f"a{n}", self.pick(["long", "string"])) for n in range(self.r.randrange(0, 4))]
		name = self.name("f")

		def make():
			lines = [f"if ({self.long(2)}) return {self.expression(result, 2)}"] if self.chance(50) else []
			return lines + [f"return {self.expression(result, 3)}"]
		lines = self.inside(params, result, make)
		# unused parameters have no type
		used = [(p, kind) for p, kind in params]
		self.head += [self.typed_signature(name, used, result), "{"] + ["\t" + line for line in lines] + ["}"]
		self.functions.append(Function(name, [kind for _, kind in params], result))

	def typed_signature(self, name, params, result):
		text = ", ".join(f"{p}:{kind}" for p, kind in params)
		return f"function {name}:{result}({text})" if self.chance(60) else self.signature(name, params, result)

	def recursive_function(self):
		name = self.name("f")
		result = self.pick(["long", "string"])
		join = self.pick(["+", "*", "^"]) if result == "long" else "."
		first = self.inside([("n", "long")], result, lambda: self.expression(result, 1))
		last = self.inside([("n", "long")], result, lambda: self.expression(result, 1))
		self.head.append(f"function {name}:{result}(n:long) {{ if (n <= 0) return {last}; "
				 f"return {first} {join} {name}(n - 1) }}")
		self.functions.append(Function(name, ["count"], result))

	def overloads(self):
		name = self.name("f")
		self.head.append(f"function {name}:long(a:long) {{ if (a > {self.small()}) next; return a + 1 }}")
		self.head.append(f"function {name}:long(a:long) {{ return a * 2 }}")
		self.head.append(f"function {name}:long(a:string, b:long) {{ return strlen(a) + b }}")
		self.functions.append(Function(name, ["long"], "long"))
		self.functions.append(Function(name, ["string", "long"], "long"))

	def loud_function(self):
		name, state = self.name("f"), self.name("g")
		self.head.append(f"global {state}")
		lines = self.inside([("a", "long"), ("b", "string")], "long", lambda: self.statements(1, 3))
		self.head += [f"function {name}:long(a:long, b:string)", "{", f"\t{state}++"] + ["\t" + line for line in lines]
		self.head += [f"\tprintln(\"{name} \", a, b)", f"\treturn {state} + a", "}"]
		self.functions.append(Function(name, ["long", "string"], "long", False))

	# ---- the whole program ----

	def locals(self):
		lines = []
		for n in range(self.r.randrange(1, 4)):
			lines.append(f"x{n} = {self.long_literal()}")
			self.longs.append(f"x{n}")
		for n in range(self.r.randrange(1, 3)):
			lines.append(f"t{n} = {self.string_literal()}")
			self.strings.append(f"t{n}")
		return lines

	def settle(self):
		"""Determines the type of each global."""
		lines = [f"{name} += 0" for name in self.longs + self.scratch] + [f'{name} .= ""' for name in self.strings]
		for array in self.arrays:
			key = ", ".join("1" if kind == "long" else '"a"' for kind in array.keys)
			value = {"stat": "<<< 3", "long": "= 4", "string": '= "b"'}[array.value]
			lines.append(f"{array.name}[{key}] {value}")
		return lines + [f"{name} <<< 2" for name in self.stats]

	def show(self):
		"""The values of all globals."""
		lines = [f"println({name})" for name in self.longs + self.strings + self.scratch]
		for array in self.arrays:
			names = [self.local("k") for _ in array.keys]
			value = f"@count({array.name}[{', '.join(names)}])" if array.value == "stat" else f"{array.name}[{', '.join(names)}]"
			if len(names) == 1:
				lines.append(f"foreach ({names[0]}+ in {array.name}) println({names[0]}, \" \", {value})")
			else:
				lines += self.show_by_text(array, names, value)
		return lines

	def show_by_text(self, array, names, value):
		"""In the order of all keys."""
		shown, key = self.name("shown"), self.local("k")
		self.head.append(f"global {shown}")
		return [f"foreach ([{', '.join(names)}] in {array.name}) {shown}[sprintd(\" \", {', '.join(names)})] = sprint({value})",
			f"foreach ({key}+ in {shown}) println({key}, \" = \", {shown}[{key}])"]

	def text(self):
		self.declare_globals()
		self.declare_macros()
		self.declare_functions()
		probe = ["probe begin" + (f"({self.number})" if self.chance(95) else f"({self.number}) ? "),
			 "{", f"\tprint(\"\\n#{self.number}\\n\")"]
		shown = (list(self.longs), list(self.strings))
		body = self.settle() + self.locals()
		for _ in range(self.r.randrange(3, 9)):
			body += self.statement(3)
		# a variable that is never read is removed, with the errors of what is assigned to it, but not by both alike
		body += [f"println({name})" for name in self.longs + self.strings if re.fullmatch(r"[xt]\d", name)]
		if self.chance(50):
			body = ["try", "{"] + ["\t" + line for line in body] + ["}", "catch", "{", "\tprintln(\"caught at last\")", "}"]
		probe += ["\t" + line for line in body] + [f"\tprint(\"\\n#{self.number} ends\\n\")", "}"]
		self.longs, self.strings = shown
		ending = [f"probe end({self.number})", "{", f"\tprint(\"\\n#{self.number} then\\n\")"]
		ending += ["\t" + line for line in self.show()] + ["}"]
		return "\n".join(self.head + probe + ending) + "\n"


def program(seed, number):
	return Program(seed, number).text()


# ---- broken ----

TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|%\(|%\)|%\?|%:|@?\w+|<<<|<<=|>>=|[-+*/%&|^.<>=!~]=|=~|!~|\+\+|--|&&|\|\||<<|>>|\s+|.', re.S)
STRAY = ["(", ")", "{", "}", "[", "]", ";", ",", "=", "+", "++", "<<<", ".", "==", "in", "if", "else", "foreach", "return",
	 "next", "break", "delete", "global", "probe", "function", "try", "catch", "5", '"text"', "nobody", "begin", "@count",
	 "$x", "limit", "*", "%", ":", "?", "!", "while", "for", "private", "-1", "=~", "%(", "%)"]


VALUE = re.compile(r'(?!(if|else|for|foreach|while|in|try|catch|return|next|break|continue|delete|probe|begin|end|function|global|'
		   r'private|limit|long|string)$)([a-z]\w*|\d\w*|"(?:\\.|[^"\\])*")', re.S)
OPERATORS = re.compile(r"<<<|[-+*/%&|^.<>=!~]=|=~|!~|&&|<<|>>|[-+*/%&|^.=<>]")


def mutate(random_numbers, tokens):
	"""One token removed, doubled, swapped, replaced by another kind, or a stray one in its place or before it; or, as the
	parser accepts it, one name or literal replaced by another of the program, or one operator."""
	r = random_numbers
	solid = [n for n, token in enumerate(tokens) if not token.isspace()]
	kind = r.randrange(12)
	if kind > 5:
		chosen = OPERATORS if kind > 10 else VALUE
		solid = [n for n in solid if chosen.fullmatch(tokens[n])] or solid
		tokens[r.choice(solid)] = tokens[r.choice(solid)]
		return
	at = r.choice(solid)
	if kind == 0:
		tokens[at] = ""
	elif kind == 1:
		tokens[at] += " " + tokens[at]
	elif kind == 2:
		other = r.choice(solid)
		tokens[at], tokens[other] = tokens[other], tokens[at]
	elif kind == 3:
		tokens[at] = '"text"' if tokens[at][0].isdigit() else "7" if tokens[at][0] == '"' else tokens[at] + "_"
	else:
		tokens[at] = " " + r.choice(STRAY) + " " + (tokens[at] if kind == 4 else "")


def broken(seed, number):
	r = random.Random(f"broken {seed}:{number}")
	tokens = TOKEN.findall(program(seed, number))
	for _ in range(r.choice([1, 1, 1, 2])):
		mutate(r, tokens)
	return "".join(tokens)
