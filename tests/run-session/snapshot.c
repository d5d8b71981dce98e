// SPDX-License-Identifier: GPL-2.0-or-later
/* Threads that do a known number of things: while `waiter` waits in readv(), and neither before nor after, `caller`
 * calls getppid() 1000 times, sleeps for 50 ms, and wakes up `sleeper` 20 times; before and after it calls getsid().
 * */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { CALLS = 1000, WAKES = 20, OTHERS = 100 };

static int begin[2], end[2], go[2], work[2];
static atomic_int waiter_tid, sleeper_tid, reads;

static void check(long result, const char *what)
{
	if (result < 0) {
		perror(what);
		exit(1);
	}
}

static void pass(int pipe[2])
{
	check(write(pipe[1], "x", 1), "write");
}

static void await(int pipe[2])
{
	char byte;

	check(read(pipe[0], &byte, 1), "read");
}

/* Until the kernel says that it is off its CPU in this system call, and not about to run. */
static void until_it_sleeps(int tid, long call)
{
	char path[64], text[64];

	snprintf(path, sizeof(path), "/proc/self/task/%d/syscall", tid);
	for (;;) {
		int fd = open(path, O_RDONLY);
		ssize_t n = read(fd, text, sizeof(text) - 1);

		check(fd, path);
		close(fd);
		check(n, path);
		text[n] = 0;
		if (strcmp(text, "running\n") != 0 && atol(text) == call)
			return;
		poll(NULL, 0, 1);
	}
}

static void *wait_for_caller(void *unused)
{
	char byte;
	struct iovec part = { &byte, 1 };

	prctl(PR_SET_NAME, "waiter");
	waiter_tid = (int)syscall(SYS_gettid);
	await(begin);
	check(readv(end[0], &part, 1), "readv");
	pass(go);
	return unused;
}

static void *sleep_often(void *unused)
{
	prctl(PR_SET_NAME, "sleeper");
	sleeper_tid = (int)syscall(SYS_gettid);
	for (int i = 0; i <= WAKES; i++, reads++)
		await(work);
	return unused;
}

/* One that was woken up does not look so until its CPU takes notice: it has to read before it sleeps again. */
static void until_sleeper_has_read(int times)
{
	while (reads < times)
		poll(NULL, 0, 1);
	until_it_sleeps(sleeper_tid, SYS_read);
}

static void call_others(void)
{
	for (int i = 0; i < OTHERS; i++)
		syscall(SYS_getsid, 0);
}

int main(void)
{
	struct timespec half = { .tv_nsec = 50000000 };
	pthread_t waiter, sleeper;

	prctl(PR_SET_NAME, "caller");
	check(pipe(begin) | pipe(end) | pipe(go) | pipe(work), "pipe");
	pthread_create(&waiter, NULL, wait_for_caller, NULL);
	pthread_create(&sleeper, NULL, sleep_often, NULL);
	while (!waiter_tid || !sleeper_tid)
		poll(NULL, 0, 1);
	until_it_sleeps(waiter_tid, SYS_read);
	call_others();
	pass(begin);
	until_it_sleeps(waiter_tid, SYS_readv);
	nanosleep(&half, NULL);
	for (int i = 0; i < CALLS; i++)
		syscall(SYS_getppid);
	for (int i = 0; i < WAKES; i++) {
		until_sleeper_has_read(i);
		pass(work);
	}
	until_sleeper_has_read(WAKES);
	pass(end);
	await(go);
	call_others();
	pass(work);
	pthread_join(waiter, NULL);
	pthread_join(sleeper, NULL);
	return 0;
}
