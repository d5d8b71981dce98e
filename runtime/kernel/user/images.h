/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that processes have mapped, and what the daemon reports about them. */
#ifndef TAP_IMAGES_H
#define TAP_IMAGES_H

#include "session.h"
#include "core/unwind.h"

struct file;

enum { MOST_MAPPINGS = 4096 };		/* of a process that are searched */

/* The tables of a file. They stay until the module is unloaded. */
struct tap_known {
	struct tap_image image;
	u64 file_size;			/* bytes */
	bool is_made;			/* code without a file: places are the low half of addresses */
};

/* Returns the tables of an open file, or of the vdso (NULL). From any context, preemption off. NULL if they are not
 * available yet; the module asks for them, unless there are too many questions. */
const struct tap_known *tap_images_find(struct file *file);

/* The same for code at START that the current process has made in anonymous memory, as just-in-time compilers do. There
 * are always some tables once they are known: the newest. */
const struct tap_known *tap_images_find_made(const struct mm_struct *mm, u64 start);
/* Asks for newer tables, because one of these (is_made) lacks a name; the more often, the more rarely. */
void tap_images_renew(const struct tap_known *known);

/* Called in a task that is about to hit a probe, where it may sleep: waits a moment until the tables of all code
 * that the process has mapped are known. */
void tap_images_await(void);

/* The flow. */
int tap_images_publish(void);				/* at load */
void tap_images_stop(void);				/* before probes are detached */
void tap_images_close(void);				/* before unloading */

#endif
