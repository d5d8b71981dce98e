#!/bin/bash
# No other process can access a running session, and invalid data in its control file is refused
# host: "$TAPC" $TAPC_ARGS --no-global-var-display -p4 -m t_control -e 'probe begin { println("begin") } probe end { println("end") }'
. "$SRC/tests/lib/session.sh"
start ./t_control.ko
printed
echo x 2>/dev/null >/proc/tap:t_control/control && fail "a second one may write"
"$TAPRUN" -A t_control 2>err && fail "-A to one that has its taprun"
"$TAPRUN" -d t_control 2>err && fail "-d of a running session"
rmmod t_control 2>/dev/null && fail "rmmod of a running session"
kill -TERM $pid
wait $pid
[[ $(tr '\n' ' ' <out) = 'begin end ' ]] || fail "$(cat out err)"
insmod ./t_control.ko
exec 3<>/proc/tap:t_control/control
for bad in x tap1 "$wire_head"'\x03\x00\xff\xff\xff\xff' 'tap1\x01\x00\x03\x00\x00\x00\x00\x00' "$wire_head"'\x63\x00\x00\x00\x00\x00' \
	"$wire_head"'\x01\x00\x04\x00\x00\x00abcd' "$wire_head"'\x02\x00\x02\x00\x00\x00xx' "$wire_head"'\x05\x00\x04\x00\x00\x00\xff\xff\xff\xff'; do
	# shellcheck disable=SC2059
	printf "$bad" >&3 2>/dev/null && fail "'$bad' was taken"
done
head -c 100000 /dev/urandom >&3 2>/dev/null
exec 3>&-
rmmod t_control
