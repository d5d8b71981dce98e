// SPDX-License-Identifier: GPL-2.0-or-later
/* Files /proc/systemtap/MODULE/path. Handlers are called for the text when it is first read after opening; what a
 * process writes is passed to them at once. Handlers run with preemption off, so the text is in a buffer of the
 * opener. Processes that share the descriptor may read and write from many threads at once: the buffer has a lock,
 * which is taken around the handlers, because they cannot sleep.
 *
 * /proc/systemtap is shared: the first module creates it, and none removes it. procfs finds a file's directories by
 * its path, so their entries need not be known.
 *
 * The files are removed when the session stops, even if they are open. But a file with an operation that does not
 * end, because another process has to provide the memory of the buffer, stays until the module is unloaded: that
 * cannot happen before the operation has ended, see files.c. */
#include <linux/anon_inodes.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/proc_fs.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "compat.h"
#include "families.h"
#include "files.h"
#include "probe.h"
#include "core/string.h"

#define PLACE "systemtap"
enum { MOST_PATH = 128 };

enum {
	PATIENCE = HZ,			/* with running operations, at stop */
	MOST_MEMORY = 64 << 20,		/* of all openers of our files: any user may be allowed to open them */
};

/* Per opener; passed to handlers. */
struct opened {
	struct mutex lock;		/* protects what follows; inside it only the locks of handlers are taken */
	u32 size, most;			/* of the text without its NUL */
	bool is_asked;
	char text[];
};

/* One of our files: it belongs to all rows with its path, and is created for the first of them. */
struct place {
	struct tap_file file;
	struct tap_row *row;
	u32 most;
};

static struct tap_row *our_rows;
static u32 our_count;
static struct place *places;			/* one for each row */
static struct proc_dir_entry *directory;
static atomic64_t taken;			/* part of MOST_MEMORY in use */
static bool directories_failed;

static const struct tap_procfs *procfs_of(const struct tap_row *row)
{
	return row->probe->where;
}

static bool procfs_is_same_file(const struct tap_row *a, const struct tap_row *b)
{
	return strcmp(procfs_of(a)->path, procfs_of(b)->path) == 0;
}

/* ---- called by handlers ---- */

struct tap_string tap_procfs_value(struct tap_context *c)
{
	struct opened *o = c->entry;

	return (struct tap_string){ o->text, strnlen(o->text, min_t(u32, o->size, tap_script.limits.string - 1)) };
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

static struct place *procfs_place_of(struct tap_file *f)
{
	return container_of(f, struct place, file);
}

static void procfs_ask(struct tap_row *first, bool writes, struct opened *o)
{
	for (struct tap_row *row = first; row < our_rows + our_count; row++)
		if (procfs_of(row)->writes == writes && procfs_is_same_file(row, first))
			tap_hit_given(row, NULL, o);
}

static u32 procfs_most_of(struct tap_row *first)
{
	u32 most = tap_script.limits.string - 1;

	for (struct tap_row *row = first; row < our_rows + our_count; row++)
		if (procfs_is_same_file(row, first))
			most = max(most, procfs_of(row)->most);
	return most;
}

static size_t procfs_bytes(u32 most)
{
	return sizeof(struct opened) + most + 1;
}

static int procfs_file_open(struct tap_file *f, struct inode *inode, struct file *file)
{
	u32 most = procfs_place_of(f)->most;
	struct opened *o;

	if (atomic64_add_return(procfs_bytes(most), &taken) > MOST_MEMORY) {
		atomic64_sub(procfs_bytes(most), &taken);
		return -ENFILE;
	}
	o = tap_zalloc_for_user(procfs_bytes(most));
	if (!o) {
		atomic64_sub(procfs_bytes(most), &taken);
		return -ENOMEM;
	}
	mutex_init(&o->lock);
	o->most = most;
	file->private_data = o;
	return 0;
}

static void procfs_file_release(struct tap_file *f, struct file *file)
{
	atomic64_sub(procfs_bytes(procfs_place_of(f)->most), &taken);
	tap_zfree(file->private_data, procfs_bytes(procfs_place_of(f)->most));
}

static ssize_t procfs_file_read(struct tap_file *f, struct file *file, char __user *to, size_t count, loff_t *offset)
{
	struct opened *o = file->private_data;
	ssize_t n;

	if (mutex_lock_interruptible(&o->lock))
		return -ERESTARTSYS;
	if (!o->is_asked || !*offset) {
		o->is_asked = true;
		o->size = 0;
		procfs_ask(procfs_place_of(f)->row, false, o);
	}
	n = simple_read_from_buffer(to, count, offset, o->text, o->size);
	mutex_unlock(&o->lock);
	return n;
}

/* Later reads call the handlers again. */
static ssize_t procfs_file_write(struct tap_file *f, struct file *file, const char __user *from, size_t count,
				 loff_t *offset)
{
	u32 n = min_t(size_t, count, tap_script.limits.string - 1);
	struct opened *o = file->private_data;
	bool copied;

	if (mutex_lock_interruptible(&o->lock))
		return -ERESTARTSYS;
	o->is_asked = false;
	o->size = 0;
	copied = !copy_from_user(o->text, from, n);
	if (copied) {
		o->text[n] = 0;
		o->size = n;
		procfs_ask(procfs_place_of(f)->row, true, o);
	}
	mutex_unlock(&o->lock);
	if (!copied)
		return -EFAULT;
	*offset += n;
	return n;
}

static const struct tap_file_ops file_ops = {
	.open = procfs_file_open, .release = procfs_file_release, .read = procfs_file_read, .write = procfs_file_write,
};

/* ---- life ---- */

/* Returns 0 if it exists, or -ENOENT. In the proc that contains the control file: the caller may see another one,
 * or none. */
static int procfs_find_place(void)
{
	const struct path *control = tap_session.control;
	struct path root = { .mnt = control->mnt, .dentry = control->dentry->d_sb->s_root };
	struct file *found = tap_file_open_root(&root, PLACE, O_RDONLY | O_DIRECTORY);

	if (IS_ERR(found))
		return PTR_ERR(found);
	fput(found);
	return 0;
}

/* The directory is shared, so two modules may want to create it at the same time. They have one thing in common for
 * locking: the inode of all files without a file system. */
static bool procfs_make_place(void)
{
	static const struct file_operations nothing = { .owner = THIS_MODULE };
	struct file *common = anon_inode_getfile("[tap]", &nothing, NULL, O_RDONLY);
	int err;

	if (IS_ERR(common))
		return false;
	inode_lock(file_inode(common));
	err = procfs_find_place();
	if (err == -ENOENT)
		err = proc_mkdir(PLACE, NULL) ? 0 : -ENOMEM;
	inode_unlock(file_inode(common));
	fput(common);
	return !err;
}

static bool procfs_open_directory(void)
{
	char name[sizeof(PLACE) + 1 + MODULE_NAME_LEN];

	directories_failed = false;
	if (!procfs_make_place())
		return false;
	snprintf(name, sizeof(name), PLACE "/%s", THIS_MODULE->name);
	directory = proc_mkdir(name, NULL);
	return directory;
}

static bool procfs_is_long(const char *path)
{
	return strlen(path) >= MOST_PATH;
}

/* Whether the first SIZE bytes of ROW's path are a directory that an earlier row created. */
static bool procfs_is_made(const struct tap_row *row, size_t size)
{
	const char *path = procfs_of(row)->path;

	for (const struct tap_row *other = our_rows; other < row; other++) {
		const char *made = procfs_of(other)->path;

		if (!procfs_is_long(made) && !strncmp(made, path, size) && made[size] == '/')
			return true;
	}
	return false;
}

static bool procfs_is_file(const char *path, size_t size)
{
	for (const struct tap_row *row = our_rows; row < our_rows + our_count; row++)
		if (!strncmp(procfs_of(row)->path, path, size) && !procfs_of(row)->path[size])
			return true;
	return false;
}

/* Creates those directories of ROW's path that do not exist yet. */
static bool procfs_make_directories(const struct tap_row *row)
{
	const char *path = procfs_of(row)->path;
	char part[MOST_PATH];

	for (const char *slash = strchr(path, '/'); slash && !directories_failed; slash = strchr(slash + 1, '/')) {
		size_t size = slash - path;

		if (procfs_is_file(path, size))
			return false;
		snprintf(part, sizeof(part), "%.*s", (int)size, path);
		directories_failed = !procfs_is_made(row, size) && !proc_mkdir(part, directory);
	}
	return !directories_failed;
}

static umode_t procfs_mode_of(struct tap_row *first)
{
	umode_t mode = 0;

	for (struct tap_row *row = first; row < our_rows + our_count; row++)
		if (procfs_is_same_file(row, first))
			mode |= procfs_of(row)->mode;
	return mode;
}

static bool procfs_is_first(struct tap_row *row)
{
	for (struct tap_row *other = our_rows; other < row; other++)
		if (procfs_is_same_file(other, row))
			return false;
	return true;
}

static struct proc_dir_entry *procfs_make_file(struct tap_row *row, struct place *place)
{
	const char *path = procfs_of(row)->path;

	place->row = row;
	place->most = procfs_most_of(row);
	if (procfs_is_long(path) || !procfs_make_directories(row) || tap_fail_here())
		return NULL;
	return tap_file_create(&place->file, &file_ops, path, procfs_mode_of(row), directory);
}

static void procfs_row_start(struct tap_row *row)
{
	struct proc_dir_entry *entry;

	if (!procfs_is_first(row))
		return;
	entry = procfs_make_file(row, &places[row - our_rows]);
	if (!entry)
		tap_start_failed(row, "/proc/" PLACE "/%s/%s cannot be created", THIS_MODULE->name,
				 procfs_of(row)->path);
	else
		proc_set_user(entry, tap_session_user(), GLOBAL_ROOT_GID);
}

static int procfs_start(struct tap_row *rows, u32 count)
{
	our_rows = rows;
	our_count = count;
	places = tap_zalloc(count * sizeof(*places), NUMA_NO_NODE);
	if (!places || !procfs_open_directory())
		return -ENOMEM;
	for (struct tap_row *row = rows; row < rows + count; row++)
		procfs_row_start(row);
	return 0;
}

static bool procfs_are_idle(void)
{
	for (u32 i = 0; places && i < our_count; i++)
		if (!tap_file_is_idle(&places[i].file))
			return false;
	return true;
}

static void procfs_remove_files(void)
{
	proc_remove(directory);
	directory = NULL;
	tap_zfree(places, our_count * sizeof(*places));
	places = NULL;
}

static void procfs_stop(struct tap_row *rows, u32 count)
{
	unsigned long until = jiffies + PATIENCE;

	for (u32 i = 0; places && i < count; i++)
		tap_file_shut(&places[i].file);
	while (!procfs_are_idle() && time_before(jiffies, until))
		schedule_timeout_uninterruptible(1);
	if (procfs_are_idle())
		procfs_remove_files();
}

/* A process with an operation in progress holds the module, so none is left. */
static void procfs_close(struct tap_row *rows, u32 count)
{
	procfs_remove_files();
}

static bool procfs_is_of_session(const struct tap_row *row)
{
	return true;
}

const struct tap_probe_ops tap_procfs = {
	.name = "procfs", .start = procfs_start, .stop = procfs_stop, .close = procfs_close,
	.is_of_session = procfs_is_of_session,
};
