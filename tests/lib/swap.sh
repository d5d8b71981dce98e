# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# swap_on SIZE: memory for swapping until the shell ends, and no huge pages, which would be swapped out as a whole. For sh, too.
swap_on()
{
	swap_huge=$(sed 's/.*\[\(.*\)\].*/\1/' /sys/kernel/mm/transparent_hugepage/enabled)
	modprobe zram num_devices=1 && echo "$1" >/sys/block/zram0/disksize && mkswap /dev/zram0 >/dev/null &&
		swapon /dev/zram0 || exit
	trap swap_off EXIT
	echo never >/sys/kernel/mm/transparent_hugepage/enabled
}
swap_off()
{
	echo "$swap_huge" >/sys/kernel/mm/transparent_hugepage/enabled
	swapoff /dev/zram0 && rmmod zram || exit
}
