#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Each mistake on taprun's command line gets one line that says what is wrong, and status 2
try()
{
	"$TAPRUN" "$@" </dev/null 2>&1
	echo "status $?"
}
touch m.ko
try -S x m.ko
try -r x m.ko
try -T 0 m.ko
try --monitor=0 m.ko
try -C blue m.ko
try -s x m.ko
try --output=xml m.ko
try --output=chrome -b -o x m.ko
try --output=chrome --monitor m.ko
try --output=ctf m.ko
try -N 1 m.ko
try -F 3 m.ko
try --nosuch m.ko
try -T
try --cgroup=/x --container=y m.ko
try --cgroup=/x -A m
try m.ko -v
try m.ko 5
exit 0
