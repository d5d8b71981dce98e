/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs that rows of process probes name, and which processes a row applies to: shared by probes/process.c, which
 * has the places in programs, and life.c, which follows processes. */
#ifndef TAP_PROGRAMS_H
#define TAP_PROGRAMS_H

#include <linux/bitops.h>

#include "probe.h"

/* A file that rows name. Rows with the same path share it. */
struct tap_program {
	const char *path;
	struct file *file;		/* held open, because some file systems forget which inode it was */
	struct inode *places;		/* the inode that uprobes use: below an overlay. Held until they are removed */
	unsigned long *running;		/* a bit for each process that runs it; NULL: not needed */
	struct tap_program *next;
};

struct tap_point;

/* Per row: row->family. */
struct tap_process_row {
	struct tap_row *row;
	const struct tap_process *what;
	struct tap_program *program;	/* what->path */
	struct tap_program *within;
	struct tap_process_row *next;	/* the next row of its kind */
	struct tap_kept *kept;		/* values of the entry, by task; and */
	struct tap_calls *calls;	/* those of functions whose return instructions are probed; NULL: none */
	struct tap_point *points;
	u32 point_count;		/* of a function whose return instructions are probed: several */
	bool has_counters;		/* some of its places have semaphores */
	bool is_narrow;			/* what->pid or what->within is set */
	bool followed;			/* follow->start succeeded */
};

/* What to do for rows of kind TAP_PROCESS_FOLLOWED. All except exited may sleep. */
struct tap_process_follow {
	int (*start)(struct tap_process_row *r);	/* also handles processes that already run */
	void (*begin)(struct tap_process_row *r);	/* current is wanted, and is about to run the program */
	void (*exited)(void);				/* a thread exits */
	void (*stop)(void);				/* for all rows */
};

enum { TAP_MOST_PIDS = PID_MAX_LIMIT };

extern struct tap_program *tap_programs;
extern struct tap_process_row *tap_process_rows[TAP_PROCESS_KINDS];
#define for_each_row_of(r, kind) \
	for (struct tap_process_row *r = tap_process_rows[kind]; r; r = r->next)
/* The target of -c or -x and its descendants; NULL if there is no target. */
extern unsigned long *tap_target_tree;

static inline bool tap_process_is_of_target(const struct task_struct *task)
{
	return !tap_target_tree || test_bit(task->tgid, tap_target_tree);
}

static inline bool tap_process_is_wanted(const struct tap_process_row *r, const struct task_struct *task)
{
	if (unlikely(r->is_narrow) && r->what->pid)
		return task->tgid == r->what->pid;
	if (unlikely(r->is_narrow) && r->within && !test_bit(task->tgid, r->within->running))
		return false;
	return tap_process_is_of_target(task);
}

/* Counts a hit that could not be caught; from any context. */
static inline void tap_process_miss(struct tap_process_row *r)
{
	BUILD_BUG_ON(sizeof(r->row->missed) != sizeof(atomic64_t));
	atomic64_inc((atomic64_t *)&r->row->missed);
}

/* The program at PATH, open; the row's file is refused if it is not the one that the module was made for. NULL: the row
 * is skipped. *ERR is -ENOMEM, or 0. */
struct tap_program *tap_program_open(struct tap_process_row *r, const char *path, int *err);
int tap_program_watch(struct tap_program *program);	/* records from now on which processes run it */
void tap_programs_stop(void);

#endif
