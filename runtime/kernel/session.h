/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The single session of this module: its state, its owner, its memory. */
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
	/* Serialises commands, state and late changes of rows. Taken only in process context,
	 * before any lock of the kernel's registration functions and never inside a notifier or
	 * a CPU hotplug callback. */
	struct mutex lock;
	enum tap_state state;
	int exiting;			/* asks the daemon for TAP_STOP */
	bool failed;
	bool skips_exceeded;		/* more than limits.skipped */
	bool detached;			/* closing control leaves it running */
	bool timing;
	atomic_t changes;		/* changes that poll of control reports */
	struct tap_configuration configuration;
	struct tap_owner owner;
	bool owned;			/* TAP_OWN was given: the process that writes commands does not decide what
					 * paths mean */
	struct proc_dir_entry *directory;	/* /proc/tap:NAME, from load to unload */
	const struct path *control;	/* the control file, while a command is executed */
	u64 started;			/* tap_clock */
	wait_queue_head_t wait;		/* for the reader of control */
	atomic64_t errors, memory;
	atomic64_t skipped[TAP_SKIPS];
	atomic64_t fetched, unfetched;	/* reads whose memory was fetched, or could not be */
	u64 sites, sites_failed, sites_direct;
};
extern struct tap_session tap_session;

void tap_session_wake(void);		/* wakes control's reader; from any context */
void tap_session_quiesce(void);		/* waits for wake-ups in progress; before unloading */
kuid_t tap_session_user(void);		/* the owner of the files */
/* Whether the caller may open files whose mode lets all do so: a session's reader may look up a file between its
 * creation and proc_set_user, and procfs would then keep root as its owner. */
bool tap_session_is_owner(void);
/* Opens a file that the script names, for reading. A session that was handed over opens it from the root directory
 * of the first process and with the kernel's rights, as its owner may be in other namespaces; otherwise the
 * caller's count. */
struct file *tap_session_open(const char *path);
/* Maximum memory of the session in bytes: the owner's limit, or the script's if that is lower;
 * 0: no limit. */
u64 tap_session_most(void);
/* Whether it may allocate SIZE more bytes. */
bool tap_session_allows(u64 size);
/* Whether it may take SIZE more bytes for what it can do without: an eighth of the limit is left for the rest. */
bool tap_session_spares(u64 size);

/* Memory of the session, counted in the report. Zeroed; NUMA_NO_NODE: on any node. */
void *tap_zalloc(size_t size, int node);
/* For a process that opens a file: also charged to its cgroup. */
void *tap_zalloc_for_user(size_t size);
void tap_zfree(void *p, size_t size);
/* The same for each possible CPU; with __alloc_percpu's limits. */
void __percpu *tap_zalloc_percpu(size_t size, size_t align);
void tap_zfree_percpu(void __percpu *p, size_t size);

#endif
