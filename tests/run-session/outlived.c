// SPDX-License-Identifier: GPL-2.0-or-later
/* outlived MS: a process that has been waited for, but has not left its CPU yet, outlives its parent: its parent,
 * which waits for it, has a higher priority, and then a process that is busy for MS. When the kernel has freed the
 * parent's task, after half of the time, the main one calls getpriority() with the number of the first. At the end the
 * main one gives way to the first, which it cannot overtake then: what ends with the main one has seen the first leave.
 * None of them may wait for a page of the program meanwhile: it would give way, too. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long ms;

static long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

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
	char byte;

	check(read(go, &byte, 1) == 1, "read");
	for (long end = now() + ms; now() < end;)
		;
}

static void be_parent(int report)
{
	pid_t child = fork();

	if (!child) {
		set_policy(SCHED_FIFO, 1);
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

int main(int argc, char **argv)
{
	cpu_set_t first;
	int go[2], report[2];
	pid_t busy, parent, child;

	check(argc == 2 && (ms = atol(argv[1])) > 0, "usage");
	check(!mlockall(MCL_CURRENT | MCL_FUTURE), "mlockall");
	CPU_ZERO(&first);
	CPU_SET(0, &first);
	check(!sched_setaffinity(0, sizeof(first), &first) && !pipe(go) && !pipe(report), "setup");
	set_policy(SCHED_FIFO, 50);
	busy = start(30, be_busy, go[0]);
	parent = start(40, be_parent, report[1]);
	check(waitpid(parent, NULL, 0) == parent && read(report[0], &child, sizeof(child)) == sizeof(child), "parent");
	check(write(go[1], "", 1) == 1, "write");
	usleep(ms / 2 * 1000);
	getpriority(PRIO_PROCESS, child);
	check(waitpid(busy, NULL, 0) == busy, "busy");
	set_policy(SCHED_OTHER, 0);
	return 0;
}
