#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The session of `tapc -i` that a document shows in a block ```prompt.

prompt.py FILE		run its lines, which follow the prompt, and compare what is printed with the other lines"""
import difflib, os, re, subprocess, sys

text = open(sys.argv[1]).read()
(block,) = re.findall(r"^```prompt\n(.*?)^```$", text, re.M | re.S)
first, *lines = block.splitlines()
assert first.endswith("tapc -i"), first
typed = [line.removeprefix("tapc> ") for line in lines if line.startswith("tapc> ")]
shown = [line for line in lines if not line.startswith("tapc> ")]
assert len(typed) > 5 and len(shown) > 3, block
done = subprocess.run([os.environ["TAPC"], "-i"], input="\n".join(typed) + "\n",
		      capture_output=True, text=True)
if done.returncode or done.stderr or done.stdout.splitlines() != shown:
	print(f"status {done.returncode}", *done.stderr.splitlines(), sep="\n")
	print(*difflib.unified_diff(shown, done.stdout.splitlines(), "the document", "printed", lineterm=""), sep="\n")
	sys.exit(1)
