/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The module's files below /proc. All of them are made here, for one rule: who has one open holds the module. */
#ifndef TAP_FILES_H
#define TAP_FILES_H

#include <linux/atomic.h>
#include <linux/poll.h>
#include <linux/proc_fs.h>

#include "session.h"

struct tap_file;

/* All are optional; read and write may sleep. file->private_data is theirs. */
struct tap_file_ops {
	int (*open)(struct tap_file *f, struct inode *inode, struct file *file);
	void (*release)(struct tap_file *f, struct file *file);
	ssize_t (*read)(struct tap_file *f, struct file *file, char __user *to, size_t count, loff_t *offset);
	ssize_t (*write)(struct tap_file *f, struct file *file, const char __user *from, size_t count,
			 loff_t *offset);
	__poll_t (*poll)(struct tap_file *f, struct file *file, struct poll_table_struct *table);
};

/* A part of what the file gives access to. It stays until the file has been removed. */
struct tap_file {
	const struct tap_file_ops *ops;		/* NULL: never made */
	atomic_t at_work;			/* operations; negative: no more begin */
};

/* The file NAME in DIRECTORY, which may be opened at once; NULL: no memory. It goes with the directory. */
struct proc_dir_entry *tap_file_create(struct tap_file *f, const struct tap_file_ops *ops, const char *name,
				       umode_t mode, struct proc_dir_entry *directory);

/* Operations fail with EIO from now on. */
void tap_file_shut(struct tap_file *f);
/* After that: is none under way any more? Then removing the file waits for nobody. */
bool tap_file_is_idle(const struct tap_file *f);

#endif
