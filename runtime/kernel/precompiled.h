/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What kbuild's flags include before every source, and the headers of the kernel and of the runtime that most sources
 * of the runtime need: parsed once for all of them, see Kbuild. Sources still include what they use. */
#if !defined(__LINUX_COMPILER_VERSION_H) && __has_include(<linux/compiler-version.h>)
#include <linux/compiler-version.h>	/* must not be included twice */
#endif
#include <linux/kconfig.h>
#include <linux/compiler_types.h>

#include <linux/cpu.h>
#include <linux/cred.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/ftrace.h>
#include <linux/in6.h>
#include <linux/irq_work.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/net.h>
#include <linux/perf_event.h>
#include <linux/poll.h>
#include <linux/proc_fs.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/tracepoint.h>
#include <linux/uaccess.h>
#include <linux/uprobes.h>
#include <linux/workqueue.h>

#include "probe.h"
#include "transport.h"
