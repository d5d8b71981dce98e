// SPDX-License-Identifier: GPL-2.0-or-later
/* Receives commands and provides reports, through a file in /proc: this works under lockdown and needs no device
 * number.
 *
 * All input is hostile until checked. A command is one write. Each is idempotent, and fails with EBUSY if it comes
 * too late, or ESHUTDOWN if the session is over.
 *
 * An open file holds the module (files.c), and so does a running session. So rmmod fails with "in use" while there
 * is something to stop first, and never has to stop anything. While the process that loaded the module is alive,
 * only that process can be the first to open the file: so between loading and opening the module does not look like
 * a leftover. */
#include "control.h"

#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "arming.h"
#include "clock.h"
#include "context.h"
#include "end.h"
#include "errand.h"
#include "files.h"
#include "flow.h"
#include "rows.h"
#include "scope.h"
#include "services.h"
#include "session.h"
#include "transport.h"

enum { MOST_TEXT = 64 << 10 };

static struct tap_file control, monitor, meta;	/* control_publish() creates the last two */
static const struct tap_file_ops monitor_ops, meta_ops;
static int control_make_meta(void);
static unsigned long control_opened;
static struct pid *loader;			/* until it has opened the file, or others may */
static int changes_seen;

/* ---- commands ---- */

static bool control_is_over(void)
{
	return tap_session.state >= TAP_STOPPING;
}

static void control_publish_file(struct tap_file *f, const struct tap_file_ops *ops, const char *name, umode_t mode)
{
	struct proc_dir_entry *entry = f->ops ? NULL : tap_file_create(f, ops, name, mode, tap_session.directory);

	if (entry)
		proc_set_user(entry, tap_session_user(), GLOBAL_ROOT_GID);
}

/* Called when the owner is known: procfs may keep the owner that a file had when it was first
 * looked up. */
static int control_publish(void)
{
	if (control_make_meta())
		return -ENOMEM;
	control_publish_file(&meta, &meta_ops, "meta", 0400);
	if (meta.ops)
		control_publish_file(&monitor, &monitor_ops, "monitor", 0660);
	return monitor.ops ? 0 : -ENOMEM;
}

static int control_configure(const void *payload, u32 size)
{
	const struct tap_configuration *c = payload;

	if (size != sizeof(*c) || c->flags & ~(TAP_SESSION_OVERWRITE | TAP_SESSION_TIMING) ||
	    c->buffer > 1u << 30 || c->target < 0 || !memchr(c->zone, 0, sizeof(c->zone)) ||
	    !memchr(c->remote_name, 0, sizeof(c->remote_name)))
		return -EINVAL;
	if (tap_session.state != TAP_LOADED)
		return control_is_over() ? -ESHUTDOWN : -EBUSY;
	if (c->cgroup && !tap_scope_is_supported())
		return -ENODEV;
	if (c->cgroup && tap_services_follow_all())
		return -EOPNOTSUPP;
	tap_session.configuration = *c;
	return control_publish();
}

static int control_own(const void *payload, u32 size)
{
	const struct tap_owner *o = payload;

	if (size != sizeof(*o) || !uid_valid(make_kuid(&init_user_ns, o->user)) || o->flags & ~TAP_OWNER_GLOBALS ||
	    o->reserved)
		return -EINVAL;
	if (monitor.ops || tap_session.state != TAP_LOADED)
		return control_is_over() ? -ESHUTDOWN : -EBUSY;
	tap_session.owner = *o;
	tap_session.owned = true;
	return control_publish();
}

static int control_set_parameter(const struct tap_parameter *p, const char *value)
{
	struct tap_string s = { value, strlen(value) };
	long long number;

	if (p->type == TAP_LONG) {
		if (kstrtoll(value, 0, &number))
			return -EINVAL;
		*(s64 *)p->value = number;
		return 0;
	}
	if (s.size >= tap_script.limits.string)
		return -E2BIG;
	tap_cell_set(p->value, s);
	return 0;
}

/* PAYLOAD is "name=value", followed by a NUL. */
static int control_set(char *payload, u32 size)
{
	char *value = strchr(payload, '=');

	if (!value || strlen(payload) != size)
		return -EINVAL;
	if (tap_session.state != TAP_LOADED)
		return control_is_over() ? -ESHUTDOWN : -EBUSY;
	*value++ = 0;
	for (u32 i = 0; i < tap_script.parameter_count; i++)
		if (!strcmp(tap_script.parameters[i].name, payload))
			return control_set_parameter(&tap_script.parameters[i], value);
	return -ENOENT;
}

static int control_start(void)
{
	if (tap_session.state != TAP_LOADED)
		return control_is_over() ? -ESHUTDOWN : 0;
	return tap_session_start();
}

static int control_stop(void)
{
	if (!control_is_over())
		tap_session_stop(true);
	return 0;
}

static int control_detach(u32 on)
{
	if (on > 1)
		return -EINVAL;
	tap_session.detached = on;
	return 0;
}

/* Maximum size of a command's payload. */
static u32 control_most_payload(u16 kind)
{
	switch (kind) {
	case TAP_CONFIGURE:
		return sizeof(struct tap_configuration);
	case TAP_SET:
		return MOST_TEXT;
	case TAP_OWN:
		return sizeof(struct tap_owner);
	case TAP_ARM:
	case TAP_DISARM:
	case TAP_DETACH:
		return sizeof(u32);
	}
	return 0;
}

static int control_obey(u16 kind, char *payload, u32 size)
{
	u32 number = 0;

	if (kind == TAP_ARM || kind == TAP_DISARM || kind == TAP_DETACH) {
		if (size != sizeof(number))
			return -EINVAL;
		memcpy(&number, payload, sizeof(number));
	}
	switch (kind) {
	case TAP_CONFIGURE:
		return control_configure(payload, size);
	case TAP_SET:
		return control_set(payload, size);
	case TAP_START:
		return control_start();
	case TAP_STOP:
		return control_stop();
	case TAP_ARM:
	case TAP_DISARM:
		return tap_rows_switch(number, kind == TAP_ARM);
	case TAP_DETACH:
		return control_detach(number);
	case TAP_RESET:
		tap_rows_reset();
		return 0;
	case TAP_OWN:
		return control_own(payload, size);
	case TAP_EXIT:
		if (tap_session.state == TAP_LOADED)
			return -EBUSY;
		tap_session_end(false);
		return 0;
	case TAP_SNAPSHOT:
		return tap_services_snapshot();
	}
	return -EINVAL;
}

/* Called with the session's lock held. */
static int control_execute(struct file *file, u16 kind, char *payload, u32 size)
{
	int err;

	tap_session.control = &file->f_path;
	err = control_obey(kind, payload, size);
	tap_session.control = NULL;
	return err;
}

static int control_execute_errand(struct file *file, u16 kind, char *payload, u32 size)
{
	int err;

	mutex_lock(&tap_session.lock);
	err = control_execute(file, kind, payload, size);
	mutex_unlock(&tap_session.lock);
	return err;
}

/* Frees PAYLOAD. */
static int control_execute_here(struct file *file, u16 kind, char *payload, u32 size)
{
	int err = mutex_lock_interruptible(&tap_session.lock) ? -ERESTARTSYS : 0;

	if (!err) {
		err = control_execute(file, kind, payload, size);
		mutex_unlock(&tap_session.lock);
	}
	kfree(payload);
	return err;
}

static ssize_t control_take_command(struct file *file, const char __user *from, size_t count, u32 allowed)
{
	struct tap_command command;
	char *payload;
	int err;

	if (count < sizeof(command))
		return -EINVAL;
	if (copy_from_user(&command, from, sizeof(command)))
		return -EFAULT;
	if (command.magic != TAP_WIRE_MAGIC || command.version != TAP_WIRE_VERSION ||
	    command.size > MOST_TEXT || count != sizeof(command) + command.size)
		return -EINVAL;
	if (command.kind >= 32 || !(allowed & 1u << command.kind))
		return -EPERM;
	if (command.size > control_most_payload(command.kind))
		return -EINVAL;
	/* charged to the writer's cgroup, in case the copy never finishes */
	payload = kzalloc(command.size + 1, GFP_KERNEL_ACCOUNT);
	if (!payload)
		return -ENOMEM;
	if (copy_from_user(payload, from + sizeof(command), command.size)) {
		kfree(payload);
		return -EFAULT;
	}
	if (tap_errand_is_needed())
		err = tap_errand_run(control_execute_errand, file, command.kind, payload, command.size);
	else
		err = control_execute_here(file, command.kind, payload, command.size);
	return err ? err : (ssize_t)count;
}

static ssize_t control_write(struct tap_file *f, struct file *file, const char __user *from, size_t count,
			     loff_t *offset)
{
	return control_take_command(file, from, count, ~0u);
}

static ssize_t control_monitor_write(struct tap_file *f, struct file *file, const char __user *from, size_t count,
				     loff_t *offset)
{
	const u32 harmless = 1u << TAP_ARM | 1u << TAP_DISARM | 1u << TAP_RESET | 1u << TAP_EXIT |
			     1u << TAP_SNAPSHOT;

	return control_take_command(file, from, count, harmless);
}

/* ---- the report ---- */

static void control_fill_report(struct tap_report *r)
{
	*r = (struct tap_report){
		.magic = TAP_WIRE_MAGIC, .version = TAP_WIRE_VERSION, .size = sizeof(*r),
		.state = READ_ONCE(tap_session.state), .exiting = READ_ONCE(tap_session.exiting),
		.failed = READ_ONCE(tap_session.failed), .detached = READ_ONCE(tap_session.detached),
		.held = test_bit(0, &control_opened), .lines = tap_services_want_lines(), .cpus = nr_cpu_ids,
		.probe_count = tap_script.probe_count, .report_size = sizeof(struct tap_probe_report),
		.now = tap_clock(), .started = tap_session.started, .errors = atomic64_read(&tap_session.errors),
		.lost = tap_rings_lost(),
		.skipped_reentrant = atomic64_read(&tap_session.skipped[TAP_SKIP_REENTRANT]),
		.skipped_lock = atomic64_read(&tap_session.skipped[TAP_SKIP_LOCK]),
		.skipped_overload = atomic64_read(&tap_session.skipped[TAP_SKIP_OVERLOAD]),
		.skipped_stack = atomic64_read(&tap_session.skipped[TAP_SKIP_STACK]),
		.fetched = atomic64_read(&tap_session.fetched), .unfetched = atomic64_read(&tap_session.unfetched),
		.sites = tap_session.sites, .sites_failed = tap_session.sites_failed,
		.sites_direct = tap_session.sites_direct,
		.memory = atomic64_read(&tap_session.memory), .memory_limit = tap_session_most(),
	};
}

/* Takes no lock of the session, so that a report is available while TAP_START is at work. Allocates nothing either:
 * readers blocked in the middle could hold any amount of memory. */
static ssize_t control_monitor_read(struct tap_file *f, struct file *file, char __user *to, size_t count,
				    loff_t *offset)
{
	struct tap_report report;
	size_t n = min(count, sizeof(report));

	if (*offset)
		return 0;
	control_fill_report(&report);
	if (copy_to_user(to, &report, n))
		return -EFAULT;
	for (u32 i = 0; i < tap_script.probe_count && n < count; i++) {
		struct tap_probe_report probe;
		size_t size = min(count - n, sizeof(probe));

		tap_row_report(&tap_rows[i], &probe);
		if (copy_to_user(to + n, &probe, size))
			return -EFAULT;
		n += size;
	}
	*offset = n;
	return n;
}

static ssize_t control_read(struct tap_file *f, struct file *file, char __user *to, size_t count, loff_t *offset)
{
	WRITE_ONCE(changes_seen, atomic_read(&tap_session.changes));
	return control_monitor_read(f, file, to, count, offset);
}

static __poll_t control_poll(struct tap_file *f, struct file *file, struct poll_table_struct *table)
{
	poll_wait(file, &tap_session.wait, table);
	return atomic_read(&tap_session.changes) != READ_ONCE(changes_seen) ? EPOLLIN | EPOLLRDNORM : 0;
}

/* ---- opening and closing ---- */

static bool control_loader_lives(void)
{
	struct task_struct *task;
	bool lives;

	rcu_read_lock();
	task = pid_task(loader, PIDTYPE_TGID);
	lives = task && !READ_ONCE(task->exit_state);
	rcu_read_unlock();
	return lives;
}

/* We own the bit of control_opened. */
static bool control_may_open(void)
{
	if (loader && loader != task_tgid(current) && control_loader_lives())
		return false;
	put_pid(loader);
	loader = NULL;
	return true;
}

static int control_file_open(struct tap_file *f, struct inode *inode, struct file *file)
{
	if (test_and_set_bit(0, &control_opened))
		return -EBUSY;
	if (!control_may_open()) {
		clear_bit(0, &control_opened);
		return -EBUSY;
	}
	/* tapd and its client share one open file. A read by one of them that blocks on a page fault must not block
	 * the other: positions do not matter here, so the kernel need not protect them by a lock. */
	file->f_mode &= ~FMODE_ATOMIC_POS;
	WRITE_ONCE(changes_seen, atomic_read(&tap_session.changes) - 1);
	return 0;
}

static bool control_leaves_session(void)
{
	return !READ_ONCE(tap_session.detached) && !control_is_over() && tap_session.state != TAP_LOADED;
}

static void control_left(void)
{
	mutex_lock(&tap_session.lock);
	if (control_leaves_session()) {
		tap_rows_disarm_at_once();
		tap_session_stop(false);
	}
	mutex_unlock(&tap_session.lock);
	clear_bit(0, &control_opened);
}

static void control_left_work(struct work_struct *work)
{
	control_left();
	module_put(THIS_MODULE);
}

static DECLARE_WORK(left, control_left_work);

/* No command of this file is being executed, so a session that was not started is not, and one that is over remains
 * so. */
static void control_file_release(struct tap_file *f, struct file *file)
{
	if (!tap_errand_is_needed()) {
		control_left();
	} else if (control_leaves_session()) {
		__module_get(THIS_MODULE);
		tap_errand_queue(&left);
	} else {
		clear_bit(0, &control_opened);
	}
}

static const struct tap_file_ops control_ops = {
	.open = control_file_open, .read = control_read, .write = control_write, .poll = control_poll,
	.release = control_file_release,
};

static const struct tap_file_ops monitor_ops = { .read = control_monitor_read, .write = control_monitor_write };

/* ---- meta ---- */

/* Created once, because it does not change. */
static struct text {
	u8 *data;
	size_t size, room;
} meta_text;

static void control_add(struct text *t, const void *data, size_t size)
{
	if (t->data && t->size + size <= t->room)
		memcpy(t->data + t->size, data, size);
	t->size += size;
}

static void control_add_meta(struct text *t, u32 kind, const void *data, size_t size)
{
	struct tap_meta m = { kind, size };

	control_add(t, &m, sizeof(m));
	control_add(t, data, size);
}

static void control_add_probe(struct text *t, const struct tap_probe *p)
{
	size_t point = strlen(p->written) + 1, position = strlen(p->position) + 1;
	struct tap_meta m = { TAP_META_PROBE, point + position };

	control_add(t, &m, sizeof(m));
	control_add(t, p->written, point);
	control_add(t, p->position, position);
}

static void control_add_format(struct text *t, const struct tap_format *f)
{
	static const u32 kinds[] = {
		[TAP_FORMAT_TEXT] = TAP_META_FORMAT,
		[TAP_FORMAT_GLOBAL] = TAP_META_GLOBAL,
		[TAP_FORMAT_ROW] = TAP_META_ROW,
	};

	if (f->kind == TAP_FORMAT_HIST)
		control_add_meta(t, TAP_META_HIST, f->hist, sizeof(*f->hist));
	else
		control_add_meta(t, kinds[f->kind], f->text, strlen(f->text));
}

static void control_add_everything(struct text *t)
{
	control_add_meta(t, TAP_META_SCRIPT, tap_script.name, strlen(tap_script.name));
	control_add_meta(t, TAP_META_LIMITS, &tap_script.limits, sizeof(tap_script.limits));
	for (u32 i = 0; i < tap_script.format_count; i++)
		control_add_format(t, &tap_script.formats[i]);
	for (u32 i = 0; i < tap_script.probe_count; i++)
		control_add_probe(t, &tap_script.probes[i]);
}

static int control_make_meta(void)
{
	struct text *t = &meta_text;

	if (t->data)
		return 0;
	t->size = 0;
	control_add_everything(t);		/* computes the size */
	t->room = t->size;
	t->size = 0;
	t->data = tap_zalloc(t->room, NUMA_NO_NODE);
	if (!t->data)
		return -ENOMEM;
	control_add_everything(t);
	return 0;
}

static ssize_t control_meta_read(struct tap_file *f, struct file *file, char __user *to, size_t count, loff_t *offset)
{
	return simple_read_from_buffer(to, count, offset, meta_text.data, meta_text.size);
}

static const struct tap_file_ops meta_ops = { .read = control_meta_read };

/* ---- life ---- */

/* The directory is named after THIS_MODULE, which may differ from the name that this was
 * compiled with. */
int tap_control_open(void)
{
	char name[sizeof(TAP_PROC_PREFIX) + MODULE_NAME_LEN];

	snprintf(name, sizeof(name), TAP_PROC_PREFIX "%s", THIS_MODULE->name);
	tap_session.directory = proc_mkdir(name, NULL);
	if (!tap_session.directory)
		return -ENOMEM;
	loader = get_pid(task_tgid(current));
	if (tap_file_create(&control, &control_ops, "control", 0660, tap_session.directory))
		return 0;
	tap_control_close();
	return -ENOMEM;
}

void tap_control_close(void)
{
	proc_remove(tap_session.directory);
	tap_session.directory = NULL;
	tap_zfree(meta_text.data, meta_text.room);
	meta_text = (struct text){ NULL };
	put_pid(loader);
	loader = NULL;
}
