// SPDX-License-Identifier: GPL-2.0-or-later
/* See snapshot.h. */
#include "snapshot.h"

#include <linux/poll.h>
#include <linux/sched/signal.h>
#include <linux/uaccess.h>

#include "clock.h"
#include "context.h"
#include "core/string.h"
#include "deferred.h"
#include "event_names.h"
#include "files.h"
#include "history.h"

enum { NEW_THREADS = 64 };		/* that may start while they are counted */

/* ---- requests ---- */

/* FREE -> BUSY (being filled) -> REQUESTED -> READ -> FREE. */
enum { REQUEST_FREE, REQUEST_BUSY, REQUEST_MADE, REQUEST_READ };
static struct {
	u32 state;
	u64 number, from, to;
	atomic64_t refused;
} request;

static DECLARE_WAIT_QUEUE_HEAD(readers);

static void snapshot_wake_readers(struct irq_work *work)
{
	wake_up_interruptible(&readers);
}

static struct tap_deferred wake = TAP_DEFERRED(snapshot_wake_readers);

bool tap_snapshot_request(s64 ns)
{
	u64 now = tap_clock();

	if (cmpxchg(&request.state, REQUEST_FREE, REQUEST_BUSY) != REQUEST_FREE) {
		atomic64_inc(&request.refused);
		return false;
	}
	request.number++;
	request.to = now;
	request.from = ns > 0 && ns < now ? now - ns : 0;
	smp_store_release(&request.state, REQUEST_MADE);
	tap_defer(&wake);
	return true;
}

/* ---- reading ---- */

enum stage { STAGE_HEAD, STAGE_THREADS, STAGE_NAMES, STAGE_CPU, STAGE_BLOCKS, STAGE_END };

/* Where the reader is. */
static struct {
	struct tap_file file;
	struct mutex lock;		/* one read at a time; nothing else takes it */
	unsigned long opened;
	enum stage stage;
	u32 index;			/* of the thread, the name, the CPU */
	u64 next, last;			/* blocks of this CPU */
	u64 overtaken;
	struct tap_snapshot_thread *threads;
	u32 thread_count, thread_room;
} reading = { .lock = __MUTEX_INITIALIZER(reading.lock) };

struct snapshot_output {
	char __user *to;
	size_t room;
	int err;
};

/* False: it does not fit, or err is set. */
static bool snapshot_put(struct snapshot_output *o, u32 kind, const void *data, u32 size)
{
	struct tap_snapshot_item item = { kind, size };

	if (o->room < sizeof(item) + size)
		return false;
	if (copy_to_user(o->to, &item, sizeof(item)) || copy_to_user(o->to + sizeof(item), data, size)) {
		o->err = -EFAULT;
		return false;
	}
	o->to += sizeof(item) + size;
	o->room -= sizeof(item) + size;
	return true;
}

static void snapshot_free_threads(void)
{
	tap_zfree(reading.threads, reading.thread_room * sizeof(*reading.threads));
	reading.threads = NULL;
	reading.thread_room = reading.thread_count = 0;
}

static u32 snapshot_list_threads(struct tap_snapshot_thread *to, u32 room)
{
	struct task_struct *process, *task;
	u32 n = 0;

	rcu_read_lock();
	for_each_process(process) {
		for_each_thread(process, task) {
			if (n < room) {
				to[n] = (struct tap_snapshot_thread){ task->pid, task->tgid };
				memcpy(to[n].name, task->comm, sizeof(to[n].name));
			}
			n++;
		}
	}
	rcu_read_unlock();
	return n;
}

/* Without memory for them, threads have no names. */
static void snapshot_get_threads(void)
{
	u32 room = snapshot_list_threads(NULL, 0) + NEW_THREADS;

	reading.threads = tap_zalloc(room * sizeof(*reading.threads), NUMA_NO_NODE);
	if (!reading.threads)
		return;
	reading.thread_room = room;
	reading.thread_count = min(snapshot_list_threads(reading.threads, room), room);
}

static bool snapshot_put_head(struct snapshot_output *o)
{
	struct tap_snapshot_head head = { request.number, request.from, request.to };

	return snapshot_put(o, TAP_SNAPSHOT_HEAD, &head, sizeof(head));
}

static bool snapshot_put_threads(struct snapshot_output *o)
{
	while (reading.index < reading.thread_count) {
		u32 n = min_t(u64, reading.thread_count - reading.index, 1024);

		if (!snapshot_put(o, TAP_SNAPSHOT_THREADS, reading.threads + reading.index,
				  n * sizeof(*reading.threads)))
			return false;
		reading.index += n;
	}
	snapshot_free_threads();
	return true;
}

static bool snapshot_put_names(struct snapshot_output *o)
{
	for (; reading.index < TAP_EVENT_NAMES; reading.index++) {
		struct { u32 number; char text[ALIGN(TAP_EVENT_NAME, 8) + 4]; } item = { reading.index };
		int size = tap_event_name_copy(reading.index, item.text);

		if (size >= 0 &&
		    !snapshot_put(o, TAP_SNAPSHOT_NAME, &item, ALIGN(sizeof(item.number) + size, 8)))
			return false;
	}
	return true;
}

/* Blocks that ended before the snapshot's time are left out. One that is overwritten meanwhile looks later. */
static u64 snapshot_first(const struct tap_history *h, u64 oldest)
{
	u64 number = oldest;

	while (number < reading.last && READ_ONCE(tap_history_block(h, number + 1)->begun) <= request.from)
		if (!(++number % 1024))
			cond_resched();
	return number;
}

/* The next CPU with memory, or the end. */
static bool snapshot_put_cpu(struct snapshot_output *o)
{
	for (; reading.index < nr_cpu_ids; reading.index++) {
		const struct tap_history *h = per_cpu_ptr(&tap_histories, reading.index);
		struct tap_snapshot_cpu item = { .cpu = reading.index };

		if (!cpu_possible(reading.index) || !smp_load_acquire(&h->data))
			continue;
		reading.next = tap_history_oldest(h, &item.overwritten);
		if (!snapshot_put(o, TAP_SNAPSHOT_CPU, &item, sizeof(item)))
			return false;
		reading.last = READ_ONCE(h->newest);
		reading.next = snapshot_first(h, reading.next);
		return true;
	}
	return true;
}

/* Copies it to the reader, and lets it take no room if it was overwritten meanwhile. */
static bool snapshot_copy_block(struct snapshot_output *o, const struct tap_history *h, u64 number)
{
	struct tap_recorder_block *b = tap_history_block(h, number);
	struct snapshot_output before = *o;

	if (smp_load_acquire(&b->number) != number) {
		reading.overtaken += !tap_history_keeps(h, number);	/* or it is just being begun */
		return true;
	}
	if (!snapshot_put(o, TAP_SNAPSHOT_BLOCK, b, TAP_RECORDER_BLOCK))
		return false;
	if (!tap_history_keeps(h, number)) {
		*o = before;
		reading.overtaken++;
	}
	return true;
}

static bool snapshot_put_blocks(struct snapshot_output *o)
{
	const struct tap_history *h = per_cpu_ptr(&tap_histories, reading.index);

	for (; reading.next <= reading.last; reading.next++) {
		if (!snapshot_copy_block(o, h, reading.next))
			return false;
		cond_resched();
	}
	return true;
}

static bool snapshot_put_end(struct snapshot_output *o)
{
	struct tap_snapshot_end end = { reading.overtaken, tap_history_missed(), atomic64_read(&request.refused) };

	return snapshot_put(o, TAP_SNAPSHOT_END, &end, sizeof(end));
}

static void snapshot_finish(void)
{
	snapshot_free_threads();
	reading.stage = STAGE_HEAD;
	smp_store_release(&request.state, REQUEST_FREE);
}

/* The stage is complete. False: it was the last one. */
static bool snapshot_next_stage(void)
{
	switch (reading.stage) {
	case STAGE_CPU:
		reading.stage = reading.index < nr_cpu_ids ? STAGE_BLOCKS : STAGE_END;
		return true;
	case STAGE_BLOCKS:
		reading.index++;
		reading.stage = STAGE_CPU;
		return true;
	case STAGE_END:
		snapshot_finish();
		return false;
	default:
		reading.index = 0;
		reading.stage++;
		return true;
	}
}

static ssize_t snapshot_continue(char __user *to, size_t room)
{
	static bool (*const stages[])(struct snapshot_output *o) = {
		snapshot_put_head, snapshot_put_threads, snapshot_put_names, snapshot_put_cpu, snapshot_put_blocks,
		snapshot_put_end,
	};
	struct snapshot_output o = { to, room };

	if (cmpxchg(&request.state, REQUEST_MADE, REQUEST_READ) == REQUEST_MADE) {
		reading.overtaken = 0;
		snapshot_get_threads();
	}
	if (smp_load_acquire(&request.state) != REQUEST_READ)
		return -EAGAIN;
	while (stages[reading.stage](&o))
		if (!snapshot_next_stage())
			break;
	if (o.err)
		return o.err;
	return o.room == room ? -EINVAL : room - o.room;
}

static ssize_t snapshot_read(struct tap_file *f, struct file *file, char __user *to, size_t count, loff_t *offset)
{
	ssize_t n;

	if (mutex_lock_interruptible(&reading.lock))
		return -ERESTARTSYS;
	n = snapshot_continue(to, min_t(size_t, count, S32_MAX));
	mutex_unlock(&reading.lock);
	return n;
}

static __poll_t snapshot_poll(struct tap_file *f, struct file *file, struct poll_table_struct *table)
{
	poll_wait(file, &readers, table);
	return READ_ONCE(request.state) >= REQUEST_MADE ? EPOLLIN | EPOLLRDNORM : 0;
}

static int snapshot_open(struct tap_file *f, struct inode *inode, struct file *file)
{
	if (!tap_session_is_owner())
		return -EACCES;
	if (test_and_set_bit(0, &reading.opened))
		return -EBUSY;
	return stream_open(inode, file);
}

/* What the reader has not read of a snapshot is given up. */
static void snapshot_release(struct tap_file *f, struct file *file)
{
	mutex_lock(&reading.lock);
	if (READ_ONCE(request.state) == REQUEST_READ)
		snapshot_finish();
	mutex_unlock(&reading.lock);
	clear_bit(0, &reading.opened);
}

static const struct tap_file_ops file_ops = {
	.open = snapshot_open, .read = snapshot_read, .poll = snapshot_poll, .release = snapshot_release,
};

/* ---- the service ---- */

int tap_snapshot_publish(void)
{
	return tap_file_create(&reading.file, &file_ops, "recorder", 0444, tap_session.directory) ? 0 : -ENOMEM;
}

void tap_snapshot_close(void)
{
	tap_deferred_sync(&wake);
	snapshot_free_threads();
}
