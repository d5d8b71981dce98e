/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that processes have mapped, and what the daemon told of them. */
#ifndef TAP_IMAGES_H
#define TAP_IMAGES_H

#include <linux/proc_fs.h>

#include "session.h"
#include "core/unwind.h"

struct file;

/* Tables of a file. They stay until the module goes. */
struct tap_known {
	struct tap_image image;
	u64 file_size;			/* bytes */
};

/* What is known of an open file, or (NULL) of the vdso. From any context, preemption off. NULL: nothing
 * yet; it is asked for, unless too much is being asked for. */
const struct tap_known *tap_images_find(struct file *file);

/* In the task that is about to hit a probe, where it may sleep: waits a moment until everything is known that
 * the process can run. */
void tap_images_await(void);

/* The flow. */
int tap_images_open(struct proc_dir_entry *directory);	/* at load */
void tap_images_stop(void);				/* before probes are detached */
void tap_images_close(void);				/* before the module goes */

#endif
