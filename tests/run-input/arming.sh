#!/bin/bash
# Input, and places within functions of the kernel and of a module, are hit while their condition holds and not before or after, twice
# default: no
. "$SRC/tests/lib/session.sh"
address=$(awk '$3 == "write_null" { print $1; exit }' /proc/kallsyms)
perl -pi -e "BEGIN { \$to = pack('Q<', 0x$address) } s/\x88\x77\x66\x55\x44\x33\x22\x11/\$to/g" t_armed.ko
"$SRC/tests/modules/sign" t_armed.ko
coproc "$TAPRUN" ./t_armed.ko 2>err
files=/proc/systemtap/t_armed
numbers() { read -r all chars places functions <$files/n; }
has_read() { numbers && [[ $all = "$1" ]]; }
# is NUMBERS: the increments for 5 characters, 10 calls and a module with one device
is()
{
	local before

	numbers
	before=("$all" "$chars" "$places" "$functions")
	dd if=/dev/zero of=/dev/null bs=1 count=10 status=none
	modprobe dummy numdummies=1 && rmmod dummy || fail dummy
	printf 12345 >&"${COPROC[1]}"
	wait_until has_read $((before + 5))
	[[ "$((chars - before[1])) $((places - before[2])) $((functions - before[3]))" = "$1" ]]
}
wait_until test -e $files/n
for round in 1 2; do
	is '0 0 0' || fail "$round: before"
	echo 1 >$files/on
	wait_until is '5 10 1'
	is '5 10 1' || fail "$round: on"
	echo 0 >$files/on
	wait_until is '0 0 0'
	is '0 0 0' || fail "$round: off"
done
# shellcheck disable=SC2086 # unset when it has ended
kill -INT $COPROC_PID
# shellcheck disable=SC2086
wait $COPROC_PID && [[ ! -s err ]] || fail "$(cat err)"
