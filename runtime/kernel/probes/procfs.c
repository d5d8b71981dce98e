// SPDX-License-Identifier: GPL-2.0-or-later
/* Files /proc/systemtap/MODULE/path. What a reader gets is asked of the handlers when it first reads
 * after opening; what a writer writes is given to them at once. Handlers run with preemption off, so the
 * text lies in a buffer of the opener's.
 *
 * /proc/systemtap is everybody's: whoever comes first makes it, and nobody takes it away. procfs finds
 * a file's directories by its path, so their entries need not be known. proc_remove waits for
 * operations that are under way. */
#include <linux/mm.h>
#include <linux/namei.h>
#include <linux/proc_fs.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "probe.h"
#include "core/string.h"

#define PLACE "systemtap"

/* Of one opener; given to handlers. */
struct opened {
	u32 size, most;
	bool is_asked;
	char text[];
};

static struct tap_row *our_rows;
static u32 our_count;
static struct proc_dir_entry *directory;

static const struct tap_procfs *procfs_of(const struct tap_row *row)
{
	return row->probe->where;
}

static bool is_same_file(const struct tap_row *a, const struct tap_row *b)
{
	return strcmp(procfs_of(a)->path, procfs_of(b)->path) == 0;
}

/* ---- what handlers ask ---- */

struct tap_string tap_procfs_value(struct tap_context *c)
{
	struct opened *o = c->entry;

	return (struct tap_string){ o->text, min_t(u32, o->size, tap_script.limits.string - 1) };
}

void tap_procfs_add(struct tap_context *c, struct tap_string s)
{
	struct opened *o = c->entry;
	u32 n = min(s.size, o->most - o->size);

	memmove(o->text + o->size, s.data, n);
	o->size += n;
	o->text[o->size] = 0;
}

void tap_procfs_set(struct tap_context *c, struct tap_string s)
{
	struct opened *o = c->entry;

	o->size = 0;
	tap_procfs_add(c, s);
}

/* ---- the files ---- */

static void ask(struct tap_row *first, bool writes, struct opened *o)
{
	for (struct tap_row *row = first; row < our_rows + our_count; row++)
		if (procfs_of(row)->writes == writes && is_same_file(row, first))
			tap_hit_given(row, NULL, o);
}

static u32 most_of(struct tap_row *first)
{
	u32 most = tap_script.limits.string - 1;

	for (struct tap_row *row = first; row < our_rows + our_count; row++)
		if (is_same_file(row, first))
			most = max(most, procfs_of(row)->most);
	return most;
}

static int file_open(struct inode *inode, struct file *file)
{
	u32 most = most_of(pde_data(inode));
	struct opened *o = kvzalloc(sizeof(*o) + most + 1, GFP_KERNEL);

	if (!o)
		return -ENOMEM;
	o->most = most;
	file->private_data = o;
	return 0;
}

static int file_release(struct inode *inode, struct file *file)
{
	kvfree(file->private_data);
	return 0;
}

static ssize_t file_read(struct file *file, char __user *to, size_t count, loff_t *offset)
{
	struct opened *o = file->private_data;

	if (!o->is_asked || !*offset) {
		o->is_asked = true;
		o->size = 0;
		ask(pde_data(file_inode(file)), false, o);
	}
	return simple_read_from_buffer(to, count, offset, o->text, o->size);
}

static ssize_t file_write(struct file *file, const char __user *from, size_t count, loff_t *offset)
{
	struct opened *o = file->private_data;
	u32 n = min_t(size_t, count, tap_script.limits.string - 1);

	if (copy_from_user(o->text, from, n))
		return -EFAULT;
	o->text[n] = 0;
	o->size = n;
	ask(pde_data(file_inode(file)), true, o);
	*offset += n;
	return n;
}

static const struct proc_ops file_ops = {
	.proc_open = file_open, .proc_release = file_release, .proc_read = file_read,
	.proc_write = file_write, .proc_lseek = default_llseek,
};

/* ---- life ---- */

static bool is_there(const char *path)
{
	struct path found;

	if (kern_path(path, 0, &found))
		return false;
	path_put(&found);
	return true;
}

/* The directories of PATH that are not yet there. */
static bool make_directories(const char *path)
{
	char part[256];

	for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
		snprintf(part, sizeof(part), "/proc/" PLACE "/%s/%.*s", THIS_MODULE->name, (int)(slash - path), path);
		if (!is_there(part) && !proc_mkdir(part + strlen("/proc/" PLACE "/") + strlen(THIS_MODULE->name) + 1,
						  directory))
			return false;
	}
	return true;
}

static bool open_directory(void)
{
	char name[sizeof(PLACE) + 1 + MODULE_NAME_LEN];

	if (!is_there("/proc/" PLACE) && !proc_mkdir(PLACE, NULL))
		return false;
	snprintf(name, sizeof(name), PLACE "/%s", THIS_MODULE->name);
	directory = proc_mkdir(name, NULL);
	return directory;
}

static umode_t mode_of(struct tap_row *first)
{
	umode_t mode = 0;

	for (struct tap_row *row = first; row < our_rows + our_count; row++)
		if (is_same_file(row, first))
			mode |= procfs_of(row)->mode;
	return mode;
}

static bool is_first(struct tap_row *row)
{
	for (struct tap_row *other = our_rows; other < row; other++)
		if (is_same_file(other, row))
			return false;
	return true;
}

static void row_start(struct tap_row *row)
{
	const char *path = procfs_of(row)->path;
	struct proc_dir_entry *entry = NULL;

	if (!is_first(row))
		return;
	if (!tap_fail_here() && strlen(path) < 128 && make_directories(path))
		entry = proc_create_data(path, mode_of(row), directory, &file_ops, row);
	if (!entry)
		tap_start_failed(row, "/proc/" PLACE "/%s/%s cannot be made", THIS_MODULE->name, path);
	else
		proc_set_user(entry, tap_session_user(), GLOBAL_ROOT_GID);
}

static int procfs_start(struct tap_row *rows, u32 count)
{
	our_rows = rows;
	our_count = count;
	if (!open_directory())
		return -ENOMEM;
	for (struct tap_row *row = rows; row < rows + count; row++)
		row_start(row);
	return 0;
}

static void procfs_stop(struct tap_row *rows, u32 count)
{
	proc_remove(directory);
	directory = NULL;
}

const struct tap_probe_ops tap_procfs = {
	.name = "procfs", .start = procfs_start, .stop = procfs_stop,
};
