#!/bin/bash
# The output of the example strace for a command matches that of strace: the same calls in the same order, with the same paths and results
# kernels: all
# host: "$TAPC" $TAPC_ARGS -p4 -m t_strace "$SRC/examples/syscall/strace.stp"
. "$SRC/tests/lib/session.sh"
type -P strace >/dev/null || { echo 'there is no strace'; exit 77; }

# For each call since the last execve: its name, the path, and the result, unless that is different each time.
calls()
{
	awk '{ sub(/^\[?[0-9]+\]? +/, "") } !/^[a-z0-9_]+\(.* += / { next } /^execve/ { n = 0 }
	     {
		name = substr($0, 1, index($0, "(") - 1)
		text = match($0, /\((AT_FDCWD, )?"\/[^"]*"/) ? substr($0, RSTART, RLENGTH) : ""
		result = $0
		sub(/.*\) += /, "", result)
		if (match(result, /E[A-Z]+/))
			result = substr(result, RSTART, RLENGTH)
		else if (name == "set_tid_address" || result ~ /^0x/ || length(result) > 9)
			result = "address"
		else
			sub(/ .*/, "", result)
		line[++n] = name " " text " " result
	     }
	     END { for (i = 1; i <= n; i++) print line[i] }' "$1"
}
# a script knows some calls by other names than the kernel
sed -nE 's/^SYSCALL_NAMED\((.*), (.*)\)$/s,^\2 ,\1 ,/p' "$SRC/runtime/abi/syscalls.def" >as_known
for command in '/bin/cat /etc/hostname /etc/nowhere' '/bin/ls -l /bin/ls /etc/init.d' '/bin/mkdir /'; do
	"$TAPRUN" -o told -c "$command" ./t_strace.ko >out 2>err
	# shellcheck disable=SC2086
	strace -o log $command >out 2>err
	[[ $(calls log | wc -l) -gt 20 ]] || fail "strace: $(cat log)"
	diff <(calls told) <(calls log | sed -f as_known) || fail "$command"
done
