#!/bin/bash
# What of a kernel's log the tests complain about: data races of scripts and of the runtime, and not those of the kernel
. "$SRC/tests/lib/kernel-log.sh"
set -e
cd "$(mktemp -d)"
trap 'rm -r "$PWD"' EXIT
echo 'kernel/fs/nf-table.ko: kernel/lib/base.ko.xz' >modules.dep

# race FUNCTION [MODULE] [LINE] [SECOND]: as KCSAN reports it
race()
{
	echo '[    1.0] =================================================================='
	echo "[    1.0] BUG: KCSAN: data-race in $1 / ${4:-second}"
	echo "[    1.0] "
	echo "[    1.0] write to 0xffff888003a0a4b8 of 8 bytes by task 77 on cpu 1:"
	echo "[    1.0]  $1+0x10/0x20${2:+ $2}"
	[[ -z $3 ]] || echo "[    1.1] $3"
	echo "[    1.0]  do_syscall_64+0x41/0x90"
	echo '[    1.0] =================================================================='
}

# complaints WHAT: the lines of stdin that a test would fail for
complaints()
{
	local lines

	lines=$(kernel_log_judged modules.dep ${2:+"$2"} | grep -E "$kernel_splat" | sed 's/^[^]]*] //' | paste -sd, -)
	echo "$1: ${lines:-none}"
}

race vfs_read | complaints "the kernel's race"
race nft_walk '[nf_table]' | complaints "a race of a module of the kernel's"
race nft_walk '[nf_table 0123abcd]' | complaints "with its build id"
race map_find '[tap_map_77]' | complaints "a script's race"
{ race vfs_read; race map_find '[tap_map_77]'; race vfs_write; } | complaints "a script's race between others"
in_handler='read to 0xffff888003a314f0 of 4 bytes by interrupt on cpu 1:'
race copy_from_kernel_nofault '[tap_map_77]' "$in_handler" copy_from_user_nofault | complaints "a count that is restored"
race copy_from_kernel_nofault '[tap_map_77]' "$in_handler" map_find | complaints "a script's count"
race copy_from_kernel_nofault '[tap_map_77]' '' copy_from_kernel_nofault | complaints "not in an interrupt"
race hrtimer_active '' ' asm_sysvec_apic_timer_interrupt+0x16/0x20'$'\n[    1.0]  map_find+0x1/0x20 [tap_map_77]' |
	complaints "a race of an interrupt's in a script"
race map_find '[tap_map_77]' ' asm_sysvec_apic_timer_interrupt+0x16/0x20' | complaints "a race of a script's in an interrupt"
race vfs_read '' 'Call Trace:' | complaints "a stack within a report"
{ race vfs_read; echo '[    2.0] BUG: unable to handle page fault'; } | complaints "a crash after a report"
race vfs_read | head -n 5 | complaints "half of a report"
{ race vfs_read; race map_find '[tap_map_77]' | head -n 5; } | complaints "half of a script's"
printf '[    1.0] %s\n' ============================== 'BUG: KASAN: use-after-free' ============================== |
	complaints "a report of KASAN"
printf '[    1.0] %s\n' 'sh invoked oom-killer' 'Call Trace:' 'Call Trace:' | complaints "a victim of the OOM killer"
printf '[    1.0] %s\n' 'sh: page allocation failure' 'Call Trace:' | complaints "no memory"
printf '[    1.0] %s\n' 'sh: page allocation failure' 'Call Trace:' | complaints "no memory, as expected" 'allocation failure'
frames=('sh: page allocation failure' 'Call Trace:' ' <TASK>' ' ? lockdep_hardirqs_on+0x1/0x20' ' warn_alloc+0x1/0x20')
printf '[    1.0] %s\n' "${frames[@]}" ' </TASK>' | complaints "a frame of its stack" 'allocation failure'
printf '[    1.0] %s\n' "${frames[@]}" 'WARNING: CPU: 0 PID: 1 at fs/x.c:1 lockdep_x+0x1/0x2' |
	complaints "a warning after it" 'allocation failure'
printf '[    1.0] %s\n' "${frames[@]}" ' </TASK>' ' ? lockdep_hardirqs_on+0x1/0x20' |
	complaints "a frame of none" 'allocation failure'
printf '[    1.0] %s\n' "${frames[@]}" 'Call Trace:' ' ? lockdep_x+0x1/0x2' |
	complaints "another stack, before the end of the first" 'allocation failure'
printf '[    1.0] %s\n' "${frames[@]}" | complaints "a stack without a reason"
rm modules.dep
race vfs_read | complaints "without the kernel's list" 2>/dev/null
