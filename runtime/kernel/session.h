/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one session of this module: its state, and what ends it. */
#ifndef TAP_SESSION_H
#define TAP_SESSION_H

#include "compat.h"
#include <linux/mutex.h>
#include <linux/wait.h>
#include <linux/atomic.h>
#include <linux/percpu.h>

#define TAP_KERNEL_TYPES
#include "tap_script.h"
#include "tap_wire.h"

/* Counted in the report. Re-entry is never fatal, the others are limited by limits.skipped. */
enum tap_skip { TAP_SKIP_REENTRANT, TAP_SKIP_LOCK, TAP_SKIP_OVERLOAD, TAP_SKIP_STACK, TAP_SKIPS };

struct tap_session {
	/* Commands, state and late changes of rows, one after the other. Taken in process context
	 * only, before any lock of the kernel's registration functions and never inside of a
	 * notifier or a CPU's callback. */
	struct mutex lock;
	enum tap_state state;
	int exiting;			/* ask the daemon for TAP_STOP */
	bool failed;
	bool skips_exceeded;		/* limits.skipped */
	bool detached;			/* closing control leaves it running */
	bool timing;
	atomic_t changes;		/* of what poll of control tells */
	struct tap_configuration configuration;
	struct tap_owner owner;
	bool owned;			/* TAP_OWN was given: whoever writes commands has no say in what paths mean */
	const struct path *control;	/* the control file, while a command is carried out */
	u64 started;			/* tap_clock */
	wait_queue_head_t wait;		/* of control's reader */
	atomic64_t errors, memory;
	atomic64_t skipped[TAP_SKIPS];
	u64 sites, sites_failed;
};
extern struct tap_session tap_session;

/* exit() and its like: no handler starts any more (but begin's own go on), and the daemon is told.
 * From any context. */
void tap_session_end(bool failed);
void tap_session_wake(void);		/* control's reader; from any context */
void tap_session_quiesce(void);		/* no wake-up is under way; before unloading */
kuid_t tap_session_user(void);		/* who owns the files */
/* A file that the script names, for reading. A session that was given away has it from the root directory of the
 * first process and with the kernel's rights, as its owner may sit in namespaces of his own; else the caller's count. */
struct file *tap_session_open(const char *path);
/* Bytes that it may have: the owner's limit, or the script's where that is lower; 0: no limit. */
u64 tap_session_most(void);
/* May it have SIZE bytes more? */
bool tap_session_allows(u64 size);

/* Report in the stream, in process context: TAP_ITEM_ERROR or TAP_ITEM_WARNING. */
void tap_message(u32 kind, const char *format, ...) __printf(2, 3);

/* Memory of a session, counted in the report. Zeroed; NUMA_NO_NODE: anywhere. */
void *tap_zalloc(size_t size, int node);
/* For somebody who opens a file: his control group's memory, too. */
void *tap_zalloc_for_user(size_t size);
void tap_zfree(void *p, size_t size);
/* The same of each CPU that there may be; with __alloc_percpu's limits. */
void __percpu *tap_zalloc_percpu(size_t size, size_t align);
void tap_zfree_percpu(void __percpu *p, size_t size);

/* ---- the flow: main.c, called by control.c with the session's lock held ---- */

int tap_session_start(void);
void tap_session_stop(bool run_end);

#endif
