// SPDX-License-Identifier: GPL-2.0-or-later
/* The file "globals" of a session that can hand over its globals: a read takes a copy of all of them, under the
 * script's locks; what is written before the start is what they begin with.
 *
 * A handler that was running when the probes were switched off has ended before the copy is made. */
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/uaccess.h>

#include "compat.h"
#include "context.h"
#include "core/globals.h"
#include "files.h"
#include "message.h"
#include "services.h"

enum {
	TRIES = 5, GROWTH = 4096,	/* arrays grow between two tries */
	MOST_WRITTEN = 64 << 10,	/* at once */
	MOST_TEXT = 200,
};

static struct tap_file globals;

/* Written before the start. Protected by the session's lock. */
static struct {
	u8 *data;
	u64 size, room;
} given;

/* ---- open ---- */

static int globals_open(struct tap_file *f, struct inode *inode, struct file *file)
{
	bool may = !tap_session.owned || tap_session.owner.flags & TAP_OWNER_GLOBALS || capable(CAP_DAC_OVERRIDE);

	return may && tap_session_is_owner() ? 0 : -EACCES;
}

/* ---- read ---- */

/* In the opener's file->private_data. */
struct copy {
	u64 room;
	u64 size;
	u8 data[];
};

static bool globals_save(struct tap_saving *s)
{
	const struct tap_globals *g = tap_script.globals;
	struct tap_frame *f = tap_frame_take(&tap_rows[0]);
	bool locked = f && (!g->lock_count || tap_lock(&f->c, g->locks, g->lock_count, TAP_REGION_LONG));

	if (locked)
		tap_globals_save(&f->c, s);
	if (locked && g->lock_count)
		tap_unlock(&f->c, g->locks, g->lock_count, TAP_REGION_LONG);
	if (f)
		tap_frame_give(f);
	return locked;
}

static void globals_free(struct copy *copy)
{
	if (copy)
		tap_zfree(copy, sizeof(*copy) + copy->room);
}

static struct copy *globals_copy(void)
{
	u64 room = GROWTH;

	for (int i = 0; i < TRIES && room <= TAP_MOST_GLOBALS; i++) {
		struct copy *copy = tap_zalloc_for_user(sizeof(*copy) + room);
		struct tap_saving s = { .room = room };

		if (!copy)
			return ERR_PTR(-ENOMEM);
		copy->room = room;
		s.data = copy->data;
		if (globals_save(&s)) {
			copy->size = s.size;
			if (s.size <= room)
				return copy;
			room = s.size + s.size / 8 + GROWTH;
		}
		globals_free(copy);
	}
	return ERR_PTR(room > TAP_MOST_GLOBALS ? -EFBIG : -EAGAIN);
}

/* The copy of an open file is made once, and stays until it is closed: several threads may read it. */
static int globals_take(struct file *file)
{
	struct copy *copy;

	if (file->private_data)
		return 0;
	if (tap_session.state != TAP_RUNNING)
		return -EBUSY;
	synchronize_rcu();
	copy = globals_copy();
	if (IS_ERR(copy))
		return PTR_ERR(copy);
	file->private_data = copy;
	return 0;
}

static ssize_t globals_read(struct tap_file *f, struct file *file, char __user *to, size_t count, loff_t *offset)
{
	struct copy *copy;
	int err;

	if (mutex_lock_interruptible(&tap_session.lock))
		return -ERESTARTSYS;
	err = globals_take(file);
	mutex_unlock(&tap_session.lock);
	if (err)
		return err;
	copy = file->private_data;
	return simple_read_from_buffer(to, count, offset, copy->data, copy->size);
}

static void globals_release(struct tap_file *f, struct file *file)
{
	globals_free(file->private_data);
}

/* ---- write ---- */

static int globals_make_room(u64 size)
{
	u64 room = max_t(u64, size, 2 * given.room);
	u8 *data;

	if (size > TAP_MOST_GLOBALS)
		return -EFBIG;
	if (size <= given.room)
		return 0;
	data = tap_zalloc_for_user(room);
	if (!data)
		return -ENOMEM;
	if (given.data)
		memcpy(data, given.data, given.size);
	tap_zfree(given.data, given.room);
	given.data = data;
	given.room = room;
	return 0;
}

static int globals_append(const u8 *data, u64 size)
{
	int err;

	if (tap_session.state != TAP_LOADED)
		return -EBUSY;
	err = globals_make_room(given.size + size);
	if (err)
		return err;
	memcpy(given.data + given.size, data, size);
	given.size += size;
	return 0;
}

/* The writer's memory is read before the session's lock is taken: that may block for any length of time. */
static ssize_t globals_write(struct tap_file *f, struct file *file, const char __user *from, size_t count,
			     loff_t *offset)
{
	size_t n = min_t(size_t, count, MOST_WRITTEN);
	u8 *data = tap_zalloc_for_user(n);
	int err;

	if (!data)
		return -ENOMEM;
	err = copy_from_user(data, from, n) ? -EFAULT : 0;
	if (!err)
		err = mutex_lock_interruptible(&tap_session.lock) ? -ERESTARTSYS : 0;
	if (!err) {
		err = globals_append(data, n);
		mutex_unlock(&tap_session.lock);
	}
	tap_zfree(data, n);
	return err ? err : (ssize_t)n;
}

/* ---- life ---- */

static const struct tap_file_ops ops = {
	.open = globals_open, .read = globals_read, .write = globals_write, .release = globals_release,
};

static int globals_publish(void)
{
	return tap_file_create(&globals, &ops, "globals", 0666, tap_session.directory) ? 0 : -ENOMEM;
}

static void globals_tell(struct tap_context *c, const char *name, const char *why)
{
	char *mark = c->scratch, *text = tap_scratch(c, MOST_TEXT);

	if (text)
		tap_print_text(c, TAP_ITEM_WARNING, (struct tap_string){
			text, scnprintf(text, MOST_TEXT, "the global '%s' does not go on: %s", name, why) });
	c->scratch = mark;
}

static void globals_drop(void)
{
	tap_zfree(given.data, given.room);
	given.data = NULL;
	given.size = given.room = 0;
}

static int globals_start(void)
{
	struct tap_frame *f;
	bool valid;

	if (!given.data)
		return 0;
	f = tap_frame_take(&tap_rows[0]);
	if (!f)
		return -EBUSY;
	valid = tap_globals_load(&f->c, given.data, given.size, globals_tell);
	tap_frame_give(f);
	globals_drop();
	return valid ? 0 : -EINVAL;
}

const struct tap_service tap_globals_service = {
	.publish = globals_publish, .start = globals_start, .close = globals_drop,
};

/* The script refers to this, and so its module has the file. */
const struct tap_globals_ops { char unused; } tap_globals_ops;
