# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# In the guest, after a test that left modules: unloads those on standard input, which has lines of /proc/modules. A
# process of the test may have their files open, so all of the test's processes end first; otherwise every later test of
# this guest would find the modules, too.

# session PID: the ID of its session; 0 for the kernel's threads
session() { sed 's/.*) //' "/proc/$1/stat" | cut -d ' ' -f 4; }

agents=$(session 1)
for dir in /proc/[0-9]*; do
	pid=${dir##*/}
	its=$(session "$pid")
	case $its in
	'' | 0 | "$agents") ;;
	*) [ "$pid" = $$ ] || [ "$pid" = $PPID ] || kill -KILL "$pid" ;;
	esac
done 2>/dev/null

# A session that a detached taprun has left holds its module until it is ended.
unloaded()
{
	! grep -q "^$1 " /proc/modules || "$TAPRUN" -d "$1" || rmmod "$1"
}

while read -r module rest; do
	tries=10
	until unloaded "$module" || [ $((tries -= 1)) = 0 ]; do
		sleep 1
	done 2>unload-errors
	! grep -q "^$module " /proc/modules || cat unload-errors >&2
done
