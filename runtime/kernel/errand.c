// SPDX-License-Identifier: GPL-2.0-or-later
#include "errand.h"

#include <linux/completion.h>
#include <linux/cred.h>
#include <linux/file.h>
#include <linux/fs_struct.h>
#include <linux/path.h>
#include <linux/pid_namespace.h>
#include <linux/refcount.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

/* An open file holds the module (files.c): so the file of an errand holds it, too. */
struct errand {
	struct work_struct work;
	struct completion done;
	refcount_t users;		/* the caller and the work */
	tap_errand_fn run;
	struct file *file;
	const struct cred *cred;
	struct path root;
	char *payload;
	u32 size;
	u16 kind;
	int err;
	bool killed;			/* the caller was */
};

enum { MOST_ERRANDS = 64 };

static struct workqueue_struct *queue;
static atomic_t errands;
static struct errand *running;		/* of WORKER, which is the only task that reads it */
static struct task_struct *worker;

int tap_errand_open(void)
{
	queue = alloc_ordered_workqueue("tap", 0);
	return queue ? 0 : -ENOMEM;
}

/* Waits for the last instructions of works that no longer hold the module. */
void tap_errand_close(void)
{
	destroy_workqueue(queue);
}

bool tap_errand_is_needed(void)
{
	return task_active_pid_ns(current) != &init_pid_ns;
}

static struct errand *errand_of_current(void)
{
	return READ_ONCE(worker) == current ? running : NULL;
}

const struct path *tap_errand_root(void)
{
	const struct errand *e = errand_of_current();

	return e ? &e->root : NULL;
}

bool tap_errand_is_killed(void)
{
	const struct errand *e = errand_of_current();

	return fatal_signal_pending(current) || (e && READ_ONCE(e->killed));
}

void tap_errand_queue(struct work_struct *work)
{
	queue_work(queue, work);
}

static void errand_put(struct errand *e)
{
	if (!refcount_dec_and_test(&e->users))
		return;
	kfree(e->payload);
	kfree(e);
	atomic_dec(&errands);
}

/* The queue executes one work at a time. */
static void errand_work(struct work_struct *work)
{
	struct errand *e = container_of(work, struct errand, work);
	const struct cred *ours = override_creds(e->cred);

	running = e;
	WRITE_ONCE(worker, current);
	e->err = e->run(e->file, e->kind, e->payload, e->size);
	WRITE_ONCE(worker, NULL);
	revert_creds(ours);
	put_cred(e->cred);
	path_put(&e->root);
	complete(&e->done);
	fput(e->file);			/* in a kernel thread, so the release is left to another one */
	errand_put(e);
}

static struct errand *errand_create(tap_errand_fn run, struct file *file)
{
	struct errand *e = kzalloc(sizeof(*e), GFP_KERNEL_ACCOUNT);

	if (!e)
		return NULL;
	INIT_WORK(&e->work, errand_work);
	init_completion(&e->done);
	refcount_set(&e->users, 2);
	e->run = run;
	e->file = get_file(file);
	e->cred = get_current_cred();
	get_fs_root(current->fs, &e->root);
	return e;
}

int tap_errand_run(tap_errand_fn run, struct file *file, u16 kind, char *payload, u32 size)
{
	struct errand *e;
	int err;

	if (atomic_inc_return(&errands) > MOST_ERRANDS) {
		err = -EBUSY;
		goto refuse;
	}
	e = errand_create(run, file);
	if (!e) {
		err = -ENOMEM;
		goto refuse;
	}
	e->kind = kind;
	e->payload = payload;
	e->size = size;
	queue_work(queue, &e->work);
	err = wait_for_completion_killable(&e->done) ? -EINTR : e->err;
	WRITE_ONCE(e->killed, err == -EINTR);
	errand_put(e);
	return err;

refuse:
	atomic_dec(&errands);
	kfree(payload);
	return err;
}
