# SPDX-License-Identifier: GPL-2.0-or-later
"""For tests in the guest: network namespaces of this process, by descriptors, and the kernel's counters in them."""
import ctypes
import os
import subprocess

CLONE_NEWNET = 0x40000000
libc = ctypes.CDLL(None, use_errno=True)


def enter(space):
	if libc.setns(space, 0):
		raise OSError(ctypes.get_errno(), "setns")


def new_space():
	"""Enters a new one."""
	if libc.unshare(CLONE_NEWNET):
		raise OSError(ctypes.get_errno(), "unshare")
	ip("link set lo up")
	return os.open("/proc/self/ns/net", os.O_RDONLY)


def ip(words):
	subprocess.check_call(["ip"] + words.split())


def write(path, text):
	with open("/proc/sys/net/ipv4/" + path, "w") as f:
		f.write(text)


def counters(space):
	"""(kind, name) and value, such as ("TcpExt", "ListenDrops"), of each."""
	enter(space)
	n = {}
	for path in "snmp", "netstat":
		with open("/proc/thread-self/net/" + path) as f:
			lines = f.read().splitlines()
		for names, values in zip(lines[::2], lines[1::2]):
			kind = names.split()[0][:-1]
			n.update(zip([(kind, x) for x in names.split()[1:]], map(int, values.split()[1:])))
	return n
