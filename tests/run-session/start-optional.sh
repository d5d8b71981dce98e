#!/bin/bash
# If a registration of an optional probe fails, or of a sufficient one, in any family, the session runs without this probe, but with all others or not at all
# kernels: all
. "$SRC/tests/lib/session.sh"
# starts MODULE K: whether it starts if its K-th registration fails
starts()
{
	local status

	insmod "./$1.ko" fail_at="$2" || fail insmod
	exec 3<>"/proc/tap:$1/control"
	start_command >&3 2>err
	status=$?
	((!status)) || for cpu in /proc/tap:"$1"/cpu*; do
		dd if="$cpu" iflag=nonblock bs=64k count=1 status=none | tr -c '[:print:]' ' '
	done >>err 2>&1
	exec 3>&-
	rmmod "$1" || fail "$1: cannot be unloaded"
	return $status
}
for ((k = 1; k < 30; k++)); do
	starts t_optional $k || fail "$k: $(cat err)"
done
# of two hooks: the optional row, the other one, both in the kernel, none
seen=
for k in 1 2 3 4; do
	starts t_hooks $k && seen+="yes " || seen+="no "
done
[[ $seen = 'yes no no yes ' ]] || fail "hooks: $seen"
