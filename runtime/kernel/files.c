// SPDX-License-Identifier: GPL-2.0-or-later
/* procfs pins no module. proc_remove() waits for running operations and releases open files itself, but it does not
 * know about pollers: an entry of poll, select or epoll stays in our wait queue until the file is closed. And an
 * operation may run for any length of time: the buffer can be a page of a FUSE file whose server does not answer,
 * and procfs waits for that without a limit and without checking for signals.
 *
 * So an open file holds the module, from before it is opened until after it is released. Unloading then fails at
 * once with EAGAIN while anything of ours can still be reached: by an open file, wherever it is (in a process, in
 * flight through a socket, in io_uring), a poller, or a read that does not end. At the module's exit no such user
 * is left, and removing the files only waits for the last instructions of open and release.
 *
 * Files that are removed while the module stays (procfs probes, which any process may have open) are shut first. If
 * no operation is running, removing them waits for nothing, and procfs releases what is open. */
#include "files.h"

#include <linux/module.h>

#include "probe.h"

enum { SHUT = INT_MIN / 2 };

static struct tap_file *file_of(const struct file *file)
{
	return pde_data(file_inode(file));
}

/* ---- operations ---- */

static bool file_enter(struct tap_file *f)
{
	return atomic_inc_unless_negative(&f->at_work);
}

static void file_leave(struct tap_file *f)
{
	atomic_dec(&f->at_work);
}

static ssize_t file_read(struct file *file, char __user *to, size_t count, loff_t *offset)
{
	struct tap_file *f = file_of(file);
	ssize_t n;

	if (!f->ops->read || !file_enter(f))
		return -EIO;
	n = f->ops->read(f, file, to, count, offset);
	file_leave(f);
	return n;
}

static ssize_t file_write(struct file *file, const char __user *from, size_t count, loff_t *offset)
{
	struct tap_file *f = file_of(file);
	ssize_t n;

	if (!f->ops->write || !file_enter(f))
		return -EIO;
	n = f->ops->write(f, file, from, count, offset);
	file_leave(f);
	return n;
}

static __poll_t file_poll(struct file *file, struct poll_table_struct *table)
{
	struct tap_file *f = file_of(file);
	__poll_t events;

	if (!f->ops->poll)
		return DEFAULT_POLLMASK;
	if (!file_enter(f))
		return EPOLLERR;
	events = f->ops->poll(f, file, table);
	file_leave(f);
	return events;
}

/* ---- opening and closing ---- */

/* A module whose load fails is freed even while it is held: so it is not held before the load has succeeded. */
static int file_hold_module(void)
{
	if (READ_ONCE(THIS_MODULE->state) == MODULE_STATE_COMING)
		return -EBUSY;
	return try_module_get(THIS_MODULE) ? 0 : -ENOENT;	/* it is being unloaded */
}

static int file_open(struct inode *inode, struct file *file)
{
	struct tap_file *f = pde_data(inode);
	int err = file_hold_module();

	if (err || !f->ops->open)
		return err;
	err = f->ops->open(f, inode, file);
	if (err)
		module_put(THIS_MODULE);
	return err;
}

static int file_release(struct inode *inode, struct file *file)
{
	struct tap_file *f = pde_data(inode);

	if (f->ops->release)
		f->ops->release(f, file);
	module_put(THIS_MODULE);	/* at exit, proc_remove() waits until we have returned */
	return 0;
}

static const struct proc_ops file_ops = {
	.proc_open = file_open,
	.proc_read = file_read,
	.proc_write = file_write,
	.proc_poll = file_poll,
	.proc_lseek = default_llseek,
	.proc_release = file_release,
};

/* ---- life ---- */

struct proc_dir_entry *tap_file_create(struct tap_file *f, const struct tap_file_ops *ops, const char *name,
				       umode_t mode, struct proc_dir_entry *directory)
{
	struct proc_dir_entry *entry;

	f->ops = ops;
	atomic_set(&f->at_work, 0);
	entry = proc_create_data(name, mode, directory, &file_ops, f);
	if (!entry)
		f->ops = NULL;
	return entry;
}

void tap_file_shut(struct tap_file *f)
{
	if (f->ops && atomic_read(&f->at_work) >= 0)
		atomic_add(SHUT, &f->at_work);
}

bool tap_file_is_idle(const struct tap_file *f)
{
	return !f->ops || atomic_read(&f->at_work) == SHUT;
}
