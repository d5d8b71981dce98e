// SPDX-License-Identifier: GPL-2.0-or-later
/* A process that has been waited for, but has not left its CPU yet, outlives its parent: its parent, which waits for
 * it, has a higher priority, and then a process that is busy, until the kernel has freed the parent's task. The main
 * one calls getpriority() with the number of the first. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FREED_AFTER = 2, BUSY = 4 };	/* seconds */

static void check(int ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	_exit(1);
}

static void set_policy(int policy, int priority)
{
	struct sched_param p = { .sched_priority = priority };

	check(!sched_setscheduler(0, policy, &p), "sched_setscheduler");
}

static void be_busy(int go)
{
	struct timespec t;
	time_t end;
	char byte;

	check(read(go, &byte, 1) == 1, "read");
	clock_gettime(CLOCK_MONOTONIC, &t);
	for (end = t.tv_sec + BUSY; t.tv_sec < end;)
		clock_gettime(CLOCK_MONOTONIC, &t);
}

static void be_parent(int report)
{
	pid_t child = fork();

	if (!child) {
		set_policy(SCHED_OTHER, 0);
		_exit(0);
	}
	check(waitpid(child, NULL, 0) == child && write(report, &child, sizeof(child)) == sizeof(child), "child");
}

/* Returns its number in the parent. */
static pid_t start(int priority, void (*run)(int), int end)
{
	pid_t child = fork();

	if (child)
		return child;
	set_policy(SCHED_FIFO, priority);
	run(end);
	_exit(0);
}

int main(void)
{
	cpu_set_t first;
	int go[2], report[2];
	pid_t busy, parent, child;

	CPU_ZERO(&first);
	CPU_SET(0, &first);
	check(!sched_setaffinity(0, sizeof(first), &first) && !pipe(go) && !pipe(report), "setup");
	set_policy(SCHED_FIFO, 50);
	busy = start(30, be_busy, go[0]);
	parent = start(40, be_parent, report[1]);
	check(waitpid(parent, NULL, 0) == parent && read(report[0], &child, sizeof(child)) == sizeof(child), "parent");
	check(write(go[1], "", 1) == 1, "write");
	sleep(FREED_AFTER);
	getpriority(PRIO_PROCESS, child);
	return waitpid(busy, NULL, 0) != busy;
}
