// SPDX-License-Identifier: GPL-2.0-or-later
/* Where handlers find the current task and its members, see tap_current.h. */
#include "tap_current.h"

#include <linux/sched.h>

#include "compat.h"

const char *tap_no_comm(struct tap_context *c)
{
	tap_scratch_slow(c, TAP_COMM_SIZE);
	return "";
}

#ifdef CONFIG_X86_64

const unsigned long tap_current_at = (unsigned long)&TAP_CURRENT;

/* The value of a symbol may be any constant. */
#define CURRENT_OFFSET(symbol, member) \
	asm volatile(".globl " #symbol "\n\t.set " #symbol ", %c0" : : "i"(offsetof(struct task_struct, member)))

static void __used current_offsets(void)
{
	BUILD_BUG_ON(TASK_COMM_LEN != TAP_COMM_SIZE);
	CURRENT_OFFSET(tap_task_pid, pid);
	CURRENT_OFFSET(tap_task_tgid, tgid);
	CURRENT_OFFSET(tap_task_comm, comm);
}

#endif
