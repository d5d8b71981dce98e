#!/bin/bash
# Descriptors of a file that never answers, from strangers and from members: no process waits for it, sessions end, tapd ends
# default: no
# kernels: all
# arm64: no, tapd is not built for it
# timeout: 1200
# host: gcc -O2 -o silent "$SRC/tests/adversary/silent.c"; "$TAPC" $TAPC_ARGS -p4 -m t_plain -e 'probe begin { println("begin") } probe end { println("end") }'
. "$SRC/tests/lib/session.sh"
. "$SRC/tests/lib/tapd.sh"
make_users
allow_fuse
echo 0 >/proc/sys/kernel/hung_task_timeout_secs	# there will be some
lib=$(realpath /lib/modules)/$KREL
mkdir -p "$lib/tapc"
cp t_plain.ko "$lib/tapc/"
start_tapd

children() { wc -w </proc/"$tapd"/task/"$tapd"/children; }
# flood USER COUNT OPTION...: COUNT connections with descriptors, which stay until forget
flood()
{
	local user=$1 count=$2

	shift 2
	as "$user" ./silent "$@" -d /tmp send "$TAPD_SOCKET" "$count" >flood."$user" 2>&1 &
	wait_until eval "grep -qs '^sent' flood.$user || ! kill -0 $! 2>/dev/null"
	grep -q "^sent $count" flood."$user" || fail "no flood" "$(cat flood."$user")"
}
forget() { pkill -KILL silent; }
works() { as ann timeout 100 "$TAPRUN" -c true ./t_plain.ko >out 2>err || fail "$1: ann: $?" "$(cat err; tail log)"; }
tells_eve()
{
	as eve timeout 100 "$TAPRUN" ./t_plain.ko >out 2>err
	[[ $? = 5 ]] && grep -q 'neither in group tapdev' err || fail "$1: eve gets no message" "$(cat out err)"
}
# ends WHEN: tapd, on SIGTERM, while a session of ann's runs, which ends properly
ends()
{
	: >session
	as ann "$TAPRUN" ./t_plain.ko >session 2>err &
	local session=$!

	wait_until contains session begin
	kill -TERM "$tapd"
	wait_until eval "! kill -0 $tapd 2>/dev/null"
	wait "$tapd" || fail "$1: tapd: $?" "$(tail log)"
	wait $session
	[[ $(tr '\n' ' ' <session) = 'begin end ' ]] || fail "$1: ann's session" "$(cat session err)"
	gone t_plain || fail "$1: left"
	forget
	: >log
}

# closing them blocks: strangers' 300 connections cost no process, members' are refused
flood eve 300 -c
wait_until eval '(($(children) == 0))'
works "300 descriptors"
tells_eve "300 descriptors"
flood bob 20 -c
grep -q 'keeps FLUSH' flood.* && fail "a process closed one" "$(cat flood.*)"
works "a member's"
wait_until eval '(($(children) == 0))'
ends "descriptors"
