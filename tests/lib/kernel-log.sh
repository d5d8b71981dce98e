# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What in the kernel's log is a problem: for jobs on the host (guest.sh), for storms in the guest.

# Text that no test may leave in the kernel's log.
kernel_splat='BUG[: ]|WARNING: |Oops|lockdep|RCU.*stall|rcu.*(stall|detected)|general protection'
kernel_splat+='|[Uu]nable to handle|soft lockup|hung task|blocked for more than|Call Trace'
kernel_splat+='|unchecked MSR|scheduling while atomic|sleeping function called|Kernel panic'

# kernel_log_judged MODULES.DEP [EXPECTED]: a log without what matches kernel_splat although nothing is wrong with us: a
# stack that follows EXPECTED, a regular expression (the OOM killer names its victim), and KCSAN's reports of
# data races of the kernel's own: no access was made for a function of a module that is not in MODULES.DEP (one that was
# interrupted has not made the interrupt's); or both are those of the kernel's no-fault copies to the count in which a task
# disables page faults. The copy in an interrupt's handler changes it, too, but restores it (pagefault_disable(),
# include/linux/uaccess.h).
kernel_log_judged()
{
	awk -v expected="${2:-invoked oom-killer}" \
		-v restored='data-race in copy_from_(kernel|user)_nofault / copy_from_(kernel|user)_nofault$' '
		function end_report() {
			if (report != "" && (other || lines < 2 || (ours && !(is_count && in_interrupt))))
				printf "%s", report
			report = ""
		}
		FILENAME != "-" {
			name = $1
			sub(/:$/, "", name); sub(/.*\//, "", name); sub(/\.ko.*/, "", name); gsub(/-/, "_", name)
			of_kernel[name]
			next
		}
		# above and below each report
		/====================$/ {
			if (report == "") {
				report = $0 "\n"
				lines = ours = other = is_count = in_interrupt = below = 0
			} else {
				other = other || lines < 2
				report = report $0 "\n"
				end_report()
			}
			next
		}
		report != "" {
			report = report $0 "\n"
			if (++lines == 1 && !/BUG: KCSAN: /)
				end_report()
			if (lines == 1)
				is_count = $0 ~ restored
			if (/ of [0-9]+ bytes by /)
				below = 0
			if (/ of 4 bytes by interrupt on cpu /)
				in_interrupt = 1
			if (/ asm_(sysvec_|common_interrupt|exc_nmi)/)
				below = 1
			# a complaint of another processor, in between
			if (/Call Trace/)
				other = 1
			if (match($0, / \[[A-Za-z0-9_]+( [0-9a-f]+)?\]$/)) {
				name = substr($0, RSTART + 2, RLENGTH - 3)
				sub(/ .*/, "", name)
				if (!(name in of_kernel) && !below)
					ours = 1
			}
			next
		}
		$0 ~ expected { told = 1 }
		told && /Call Trace/ { told = 0; in_stack = 1; next }
		# a frame may be of a function of lockdep
		in_stack && /^(\[ *[0-9.]+\])? +(\? )?[A-Za-z0-9_.]+\+0x[0-9a-f]+\/0x[0-9a-f]+( \[.*\])?$/ { next }
		/<\/TASK>|Call Trace/ { in_stack = 0 }
		{ print }
		END { end_report() }' "$1" - || echo "BUG: the log cannot be judged"
}
