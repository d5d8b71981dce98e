#!/bin/bash
# A process that can still access a module keeps it loaded, in whatever way it has its file open; the process is reported; unloading never waits for it
# default: no
# kernels: all
# timeout: 900
# host: gcc -O2 -o silent "$SRC/tests/adversary/silent.c" && gcc -O2 -pthread -o hold "$SRC/tests/adversary/hold.c"
# host: "$TAPC" $TAPC_ARGS -p4 -m t_open -e 'probe begin { println("begin") } probe process("/bin/true").begin { print_ubacktrace() }'
. "$SRC/tests/lib/session.sh"
allow_fuse
dir=/proc/tap:t_open

# a finished session, with all its files and none of them open
over()
{
	insmod ./t_open.ko || fail insmod
	exec 3<>$dir/control
	own_command 0 >&3 || fail TAP_OWN
	start_command >&3 || fail TAP_START
	exec 3>&-
}

# held WAY FILE: it cannot be unloaded while the file is held, and can afterwards
held()
{
	background holder ./hold "$1" $dir/"$2"
	wait_until contains holder holds
	rmmod t_open 2>/dev/null && fail "$1 $2: it was unloaded"
	kill -9 $(sed 's/holds //' holder)
	wait_until rmmod t_open 2>/dev/null
	over
}

over
for file in control monitor meta cpu0 images; do
	[[ -e $dir/$file ]] || fail "there is no $file"
	# the storm lifetimes does all with all
	ways=(open poll)
	[[ $file != cpu0 ]] || ways+=(dup thread epoll send)
	for way in "${ways[@]}"; do
		held "$way" $file
	done
	background holder ./hold close $dir/$file
	wait_until contains holder holds
	rmmod t_open || fail "$file: it is not held any more"
	kill $!
	over
done

# a read that blocks: unloading neither waits for it nor succeeds
for file in monitor meta cpu0; do
	background holder ./silent read $dir/$file
	wait_until contains holder 'keeps READ'
	rmmod t_open 2>/dev/null && fail "$file: unloaded under a read"
	kill -9 $(sed -n 's/server //p' holder)
	wait_until contains holder 'read: '
	wait_until rmmod t_open 2>/dev/null
	over
done

# the process is reported
told()
{
	background holder ./hold "$1" $dir/meta
	wait_until contains holder holds
	holder=$(sed 's/holds //' holder)
	"$TAPRUN" -d t_open 2>err && fail "$1: -d"
	grep -q "module 't_open' stays loaded because it is in use (1 users)" err && grep -q "$2" err || fail "$1: $(cat err)"
	# shellcheck disable=SC2086
	kill -9 $holder	# several, if threads hold it
}
told open "(hold) has files of module 't_open' open"
grep -q "process $holder (hold) has files of module 't_open' open" err || fail "$holder: $(cat err)"
told thread "(hold) has files of module 't_open' open"
told send "no process has files of module 't_open' open: a descriptor is in flight in a socket"
# also for control, which the process that removes the module needs itself
background holder ./hold open $dir/control
wait_until contains holder holds
holder=$(sed 's/holds //' holder)
"$TAPRUN" -d t_open 2>err && fail "control: -d"
grep -q "the session of module 't_open' is over, but its control file is still open" err &&
	grep -q "process $holder (hold) has files of module 't_open' open" err || fail "control: $(cat err)"
# shellcheck disable=SC2086
kill -9 $holder	# several, if threads hold it
wait $! 2>/dev/null
# with another procfs, in another namespace
background holder unshare -fmp bash -c \
	'mkdir -p /run/another && mount -t proc proc /run/another && exec ./hold open /run/another/tap:t_open/meta'
wait_until contains holder holds
"$TAPRUN" -d t_open 2>err && fail "another namespace: -d"
grep -q "process [0-9]* (hold) has files of module 't_open' open" err || fail "another namespace: $(cat err)"
pkill -9 hold
wait_until eval '"$TAPRUN" -d t_open 2>err'
gone t_open
