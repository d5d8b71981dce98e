# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes a random script: functions of the library get what others returned, and edge values, in handlers of many kinds,
while threads, packets and waits are followed. At each hit other values are chosen: from n, the numbers, and s, the texts.
Arguments: a seed, a file with the output of tapc --dump-functions. Each call is on a separate line, so that those which a
kernel does not have can be removed by their line numbers."""
import os
import random
import re
import sys

sys.path.insert(0, os.path.dirname(__file__) + "/../peer.d")
from library import LONGS, STRINGS, functions

# Functions that end the session or run a program, and those of services, which begin below
LEFT_OUT = {"exit", "abort", "error", "system", "callpath_enter", "callpath_begin", "waitchain_start", "recorder_start"}
RESULTS = 24		# that are remembered, of each type
CALLS = 24		# in a handler; a hit executes a quarter of them

HERE = ["task_current()", "addr()", "uaddr()", "pointer_arg(1)", "pointer_arg(2)", "returnval()", "register(\"sp\")", "tid()",
	"pid()", "task_parent(task_current())", "local_clock_ns()"]
NUMBERS = LONGS + ["(-2)", "(-5)", "(-22)", "(-4095)"]
TEXTS = ["execname()", "backtrace()", "ubacktrace()", "symname(addr())", "ppfunc()", "sprint_stack(backtrace())"]

# What begins to be followed, and by which probes. BODY is a handler's random part.
SERVICES = [
	"""probe syscall_any { callpath_begin() BODY }
probe kernel.function("vfs_*").fallible.return, kernel.function("do_sys_open*").fallible.return,
      kernel.function("path_*").fallible.return, kernel.function("do_filp_open").fallible.return ?,
      kernel.function("do_file_open").fallible.return ? {
	ticket = @entry(callpath_enter(SLOW))
	n[NUMBER] = ticket
	callpath_leave(ticket, returnval())
	BODY
}
probe syscall_any.return { for (i = callpath_find(-retval); i >= 0; i--) s[TEXT] = callpath_function(i) BODY callpath_end() }
probe kernel.trace("sched_process_exit") { BODY callpath_forget() }""",
	"""probe begin { waitchain_start(0, "", 0) }
probe kernel.trace("sched:sched_switch") {
	for (i = 0; i < waitchain_pieces($next); i++) n[NUMBER] = waitchain_piece($next, i)
	BODY
}""",
	"""probe begin { recorder_start(1) }
probe timer.ms(7) { snapshot(5000000) BODY }
probe kernel.function("vfs_read") { record(s[TEXT], n[NUMBER]) BODY }""",
	"""probe kernel.function("ip_*").takes("sk_buff"), kernel.function("udp_*").takes("sk_buff"),
      kernel.function("dev_*").takes("sk_buff") {
	packetpath_follow(taken_argument())
	n[NUMBER] = taken_argument()
	BODY
}
probe kernel.trace("skb:consume_skb") { BODY packetpath_forget($skb) }""",
]
POINTS = [
	'kernel.function("vfs_read")', 'kernel.function("vfs_write").return', 'kernel.function("handle_mm_fault")',
	'kernel.function("try_to_wake_up").return', 'kernel.function("do_filp_open")',
	'kernel.function("do_file_open")', 'kernel.function("path_openat")', 'kernel.function("inode_permission")',
	'kernel.function("do_dentry_open")', 'kernel.function("mutex_lock")', 'kernel.function("update_process_times")',
	'kernel.function("__alloc_skb").return', 'kernel.function("pipe_read").return',
	'kernel.function("do_exit")', 'kernel.function("do_nanosleep")', 'kernel.trace("sched_waking")',
	'kernel.trace("sched_process_exec")', 'kernel.trace("timer_expire_entry")', 'kernel.syscall("read")',
	'kernel.syscall("openat").return', 'timer.profile', 'timer.hz(97)', 'perf.sw.page_faults.sample(3)',
	'perf.sw.cpu_clock.hz(200)', 'process("./storm").function("twice")', 'process("./storm").function("twice").return',
	'process("./stepper").function("step")', 'process.begin', 'process.end', 'process("./storm").syscall',
	'netfilter.hook("NF_INET_LOCAL_IN").pf("NFPROTO_IPV4")', 'kernel.data("panic_timeout").rw ?', 'end',
]
OPTIONS = [["-DTAP_DIRECT", "-DTAP_DIRECT", ""], ["-DSTP_NO_OVERLOAD", ""], ["-DTAP_NO_FETCH", ""]]


def place(values):
	"""for a result, after the edge values"""
	return len(values) + dice.randrange(RESULTS)


def argument(kind):
	if dice.random() < 0.2:
		return dice.choice(TEXTS if kind == "string" else HERE)
	return f"s[randint({len(STRINGS) + RESULTS})]" if kind == "string" else f"n[randint({len(NUMBERS) + RESULTS})]"


def call():
	name, kinds, result = dice.choice(of_services if dice.random() < 0.5 else known)
	text = f"{name}({', '.join(argument(k) for k in kinds)})"
	if result:
		text = f"{f'n[{place(NUMBERS)}]' if result == 'long' else f's[{place(STRINGS)}]'} = {text}"
	return f"\tif (!randint(4)) try {{ {text} }} catch {{ }}\n"


def body():
	return "\n" + "".join(call() for _ in range(CALLS))


dice = random.Random(int(sys.argv[1]))
known = [f for f in functions(open(sys.argv[2]).read()) if f[0] not in LEFT_OUT]
services = dice.sample(SERVICES, dice.randrange(1, 4))
used = "|".join(re.findall(r"\b(callpath|waitchain|recorder|packetpath)_", "".join(services)))
of_services = [f for f in known if re.match(used, f[0])]
points = [f"{p} ?" if "function" in p else p for p in dice.sample(POINTS, 8)]		# a compiler may have inlined some
script = "".join(f"probe {point} {{{body()}}}\n" for point in points) + "\n".join(services)
script = re.sub(r"\bBODY\b", lambda _: body(), script)
script = re.sub(r"\bNUMBER\b", lambda _: str(place(NUMBERS)), script)
script = re.sub(r"\bTEXT\b", lambda _: str(place(STRINGS)), script)
script = script.replace("SLOW", dice.choice(["0", "0", "1000000"]))
print("# tapc:", *[dice.choice(options) for options in OPTIONS])
print("global n, s")
print("probe begin(-1) {")
for name, values in (("n", NUMBERS), ("s", STRINGS)):
	for i, value in enumerate(values):
		print(f"\t{name}[{i}] = {value}")
print("}")
print(script)
