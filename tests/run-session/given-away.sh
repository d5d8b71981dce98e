#!/bin/bash
# A session that root gave to a user uses the files of the first process's root, whichever process starts it; root's session uses the caller's
# kernels: all
. "$SRC/tests/lib/session.sh"
export -f start_command
has_breakpoint() { "$1"; [[ $? = "$2" ]] || fail "$3: $1 has $((1 - $2)) breakpoints, not $2"; }
for whose in root user; do
	insmod ./t_files.ko || fail insmod
	exec 3<>/proc/tap:t_files/control
	[[ $whose = root ]] || own_command 1000 >&3 || fail "own"
	unshare -m bash -c 'mount --bind ./other ./program && start_command >&3' || fail "$whose: start"
	if [[ $whose = root ]]; then
		has_breakpoint ./program 0 root; has_breakpoint ./other 1 root
	else
		has_breakpoint ./program 1 user; has_breakpoint ./other 0 user
	fi
	exec 3>&-
	rmmod t_files || fail rmmod
	has_breakpoint ./program 0 "after $whose"; has_breakpoint ./other 0 "after $whose"
done
# in a root without /proc
for module in t_place t_places; do
	insmod ./$module.ko || fail insmod
	exec 3<>/proc/tap:$module/control
	own_command 1000 >&3 || fail "own"
	start_command | python3 -c 'import os, sys; os.chroot("/mnt"); os.write(3, sys.stdin.buffer.read())' ||
		fail "$module: start"
	[[ $(cd /proc/systemtap/$module && find . -type f | sort | tr '\n' ' ') = './a/b/c ./a/b/d ./a/e ' ]] ||
		fail "$module: $(find /proc/systemtap)"
	exec 3>&-
done
rmmod t_place t_places || fail rmmod
