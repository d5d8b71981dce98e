# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# The kernel's fault injection, which tests/adversary/failing.c directs at one allocation after the other.

# Allocations that may sleep and single pages fail, too, and no stack is logged. False: the kernel does not have it.
inject_allocation_faults()
{
	local kind

	for kind in /sys/kernel/debug/{failslab,fail_page_alloc,fail_usercopy}; do
		[[ -d $kind ]] || { echo "the kernel does not have $kind"; return 1; }
		echo 0 >"$kind/verbose"
		[[ ! -e $kind/ignore-gfp-wait ]] || echo N >"$kind/ignore-gfp-wait"
		[[ ! -e $kind/min-order ]] || echo 0 >"$kind/min-order"
	done
}
