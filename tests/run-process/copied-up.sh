#!/bin/bash
# A program on an overlay is copied up while it is probed: breakpoints are removed from the file where they were inserted
# kernels: all
. "$SRC/tests/lib/session.sh"
mount -t tmpfs -o size=16m tmpfs /mnt && mkdir /mnt/low && cp program /mnt/low/ || fail tmpfs
# with a file that exists only in the lower layer
begin()
{
	rm -rf /mnt/up /mnt/work ready && mkdir /mnt/up /mnt/work || fail mkdir
	mount -t overlay -o lowerdir=/mnt/low,upperdir=/mnt/up,workdir=/mnt/work overlay on || fail overlay
	on/program >ready &
	running=$!
	wait_until contains ready ready
}
end()
{
	kill -0 $running || fail "$1: the program has died"
	kill -USR1 $running
	wait $running || fail "$1: a breakpoint is left"
}
for round in chmod chown; do
	begin
	start ./t_copied_up.ko
	printed met
	case $round in
	chmod) chmod 700 on/program ;;
	chown) chown 1:1 on/program ;;
	esac
	[[ -e /mnt/up/program ]] || fail "$round: not copied up"
	kill -INT $pid
	wait $pid || fail "$round: $(cat out err)"
	gone t_copied_up || fail "$round: still loaded"
	[[ $(tail -n 1 out) = 1 ]] || fail "$round: $(cat out err)"
	sleep 0.2	# for some more steps
	end $round
	umount on || fail "$round: the overlay is still in use"
done
begin
end "a new one"
umount on && umount /mnt || fail "still in use"
