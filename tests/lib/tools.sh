# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# For tests of what is missing.

# link_tools DIR: links in a new DIR to all programs of /usr/bin, without compilers, make and QEMU
link_tools()
{
	mkdir "$1"
	find /usr/bin/ -mindepth 1 -maxdepth 1 ! -name '*gcc*' ! -name cc ! -name 'c99*' ! -name 'c89*' ! -name 'clang*' \
		! -name make ! -name gmake ! -name 'qemu*' -exec ln -s -t "$1" {} +
}
