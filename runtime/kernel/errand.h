/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands of processes in pid namespaces, executed by a kernel thread.
 *
 * Registering and unregistering probes waits for RCU-tasks, and that wait ignores signals. Before Linux 6.9 it never
 * ends if the waiting process is killed with its pid namespace: the first process of the namespace waits for the other
 * to exit, in a section for which RCU-tasks waits in turn (zap_pid_ns_processes() after exit_tasks_rcu_start()). After
 * that no probe of any kind can be removed from the machine. So a process that is not in the initial pid namespace
 * only waits in ways that a kill ends. */
#ifndef TAP_ERRAND_H
#define TAP_ERRAND_H

#include "compat.h"
#include <linux/fs.h>
#include <linux/workqueue.h>

typedef int (*tap_errand_fn)(struct file *file, u16 kind, char *payload, u32 size);

int tap_errand_open(void);
void tap_errand_close(void);

/* Whether the caller is in a pid namespace that may end. */
bool tap_errand_is_needed(void);
/* Calls RUN in a kernel thread with the caller's rights and root directory, and frees PAYLOAD. -EINTR: the caller was
 * killed, and RUN will be called nevertheless. -EBUSY: too many callers were killed. */
int tap_errand_run(tap_errand_fn run, struct file *file, u16 kind, char *payload, u32 size);
/* The same without a result, and without waiting. */
void tap_errand_queue(struct work_struct *work);
/* Of the command that the current task executes: its process's root directory (NULL: current's), and whether that
 * process was killed. */
const struct path *tap_errand_root(void);
bool tap_errand_is_killed(void);

#endif
