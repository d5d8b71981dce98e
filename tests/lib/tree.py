# SPDX-License-Identifier: GPL-2.0-or-later
"""The files of the tree, for the checks."""
import os
import re

FOLDERS = '.ci', '.github', 'debian', 'doc', 'editors', 'examples', 'rpm', 'runtime', 'sdt', 'systemd', 'tapsets', 'tests', 'translator'
# Built in place, by configure and make: not part of the tree.
BUILT = re.compile(r'(Makefile|Makefile\.in|aclocal\.m4|config\.(log|status)|configure~?|lists\.am|tapc|tapc-dtrace|taprun|tapd|.*\.(a|o|ko)|'
	r'tests/cache/.*|doc/(tapc\.1|taprun\.8)|sdt/tapc-sdt\.pc|tapc-build-tree|.*/\.(deps|dirstamp)(/.*)?|.*/__pycache__/.*|build-.*\.log)')


def files(src):
	"""Their paths below SRC: first those of SRC itself, then those of each folder."""
	yield from sorted(e.name for e in os.scandir(src) if e.is_file() and not BUILT.fullmatch(e.name))
	for root in FOLDERS:
		for folder, folders, names in os.walk(os.path.join(src, root)):
			folders.sort()
			paths = [os.path.relpath(os.path.join(folder, name), src) for name in sorted(names)]
			yield from (path for path in paths if not BUILT.fullmatch(path))
