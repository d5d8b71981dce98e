/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The module's files in /proc. All of them are created here, for one rule: an open file holds the module. */
#ifndef TAP_FILES_H
#define TAP_FILES_H

#include <linux/atomic.h>
#include <linux/poll.h>
#include <linux/proc_fs.h>

#include "session.h"

struct tap_file;

/* All are optional; read and write may sleep. They may use file->private_data. */
struct tap_file_ops {
	int (*open)(struct tap_file *f, struct inode *inode, struct file *file);
	void (*release)(struct tap_file *f, struct file *file);
	ssize_t (*read)(struct tap_file *f, struct file *file, char __user *to, size_t count, loff_t *offset);
	ssize_t (*write)(struct tap_file *f, struct file *file, const char __user *from, size_t count,
			 loff_t *offset);
	__poll_t (*poll)(struct tap_file *f, struct file *file, struct poll_table_struct *table);
};

/* Member of the object that the file gives access to. It must stay until the file has been
 * removed. */
struct tap_file {
	const struct tap_file_ops *ops;		/* NULL: never created */
	atomic_t at_work;			/* running operations; negative: no new ones begin */
};

/* Creates the file NAME in DIRECTORY, which may be opened at once; NULL: no memory. It is removed with the
 * directory. */
struct proc_dir_entry *tap_file_create(struct tap_file *f, const struct tap_file_ops *ops, const char *name,
				       umode_t mode, struct proc_dir_entry *directory);

/* Makes all further operations fail with EIO. */
void tap_file_shut(struct tap_file *f);
/* After tap_file_shut: whether no operation is running any more. Then removing the file waits
 * for nothing. */
bool tap_file_is_idle(const struct tap_file *f);

#endif
