# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# The machine's memory. For sh, too.
huge=/sys/kernel/mm/transparent_hugepage/enabled	# there is no such file with PREEMPT_RT

# huge_pages WHEN: always, madvise or never, if the kernel has such pages
huge_pages() { [ ! -e $huge ] || echo "$1" >$huge; }

# swap_on SIZE: memory for swapping until the shell ends, and no huge pages, which would be swapped out as a whole
swap_on()
{
	swap_huge=$(sed -n 's/.*\[\(.*\)\].*/\1/p' $huge 2>/dev/null)
	modprobe zram num_devices=1 && echo "$1" >/sys/block/zram0/disksize && mkswap /dev/zram0 >/dev/null &&
		swapon /dev/zram0 || exit
	trap swap_off EXIT
	huge_pages never
}
swap_off()
{
	huge_pages "$swap_huge"
	swapoff /dev/zram0 && rmmod zram || exit
}
