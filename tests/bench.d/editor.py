#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""editor.py CLIENT COMMAND...: milliseconds from a request for completion to its answer.

CLIENT is the directory of client.py, COMMAND starts a language server. Each request follows the typing of a character, in a script
of 40 lines, as editors send it. Prints a line `ROW MILLISECONDS` for each kind, the median of 50, and the slowest of all."""
import statistics
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from client import Client

URI = 'file:///typed.stp'
SCRIPT = ''.join(f'global g{n}\nfunction f{n}(x) {{ return x + {n} }}\nprobe timer.s({n + 1}) {{ g{n} += f{n}(pid()) }}\n\n' for n in range(10))
TYPED = {
	'complete-function': 'probe begin { println(task_',
	'complete-point': 'probe kernel.function("vfs_',
	'complete-syscall': 'probe syscall.op',
}


def answers(client, line):
	"""The last character of LINE is typed, completed and deleted again."""
	row = SCRIPT.count('\n')
	for _ in range(50):
		at = {'line': row, 'character': len(line) - 1}
		end = {'line': row, 'character': len(line)}
		client.change({'range': {'start': at, 'end': at}, 'text': line[-1]}, uri=URI)
		begun = time.monotonic()
		found = client.at('completion', row, len(line), uri=URI)
		yield (time.monotonic() - begun) * 1000, len(found['items'] if isinstance(found, dict) else found or [])
		client.change({'range': {'start': at, 'end': end}, 'text': ''}, uri=URI)


client = Client(command=sys.argv[2:])
client.initialize()
client.notify('initialized')
slowest = 0
for name, line in TYPED.items():
	client.open(SCRIPT + line[:-1], uri=URI)
	list(zip(range(3), answers(client, line)))	# what the server reads once
	client.notify('textDocument/didClose', textDocument={'uri': URI})
	client.open(SCRIPT + line[:-1], uri=URI)
	times, counts = zip(*answers(client, line))
	assert min(counts) > 0, f'{name}: no answers'
	print(name, round(statistics.median(times), 2))
	slowest = max(slowest, *times)
	client.notify('textDocument/didClose', textDocument={'uri': URI})
print('complete-slowest', round(slowest, 2))
client.finish()
