// SPDX-License-Identifier: GPL-2.0-or-later
/* Holds a file in one of the possible ways.
 *
 *	hold WAY FILE...
 *
 *	open	a descriptor
 *	dup	a child's copy of it, whose parent has exited
 *	thread	a descriptor of a thread with a separate file table
 *	poll	a thread that waits for an event
 *	epoll	an epoll set, and the descriptor
 *	send	only a message in a socket
 *	close	not at all, after it was in an epoll set
 *
 * Prints "holds PID" when it does, and continues until it is killed. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

static _Noreturn void fail(const char *what)
{
	fprintf(stderr, "hold: %s: %s\n", what, strerror(errno));
	exit(1);
}

static _Noreturn void stay(void)
{
	printf("holds %d\n", (int)getpid());
	fflush(stdout);
	for (;;)
		pause();
}

static int open_it(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		fail(path);
	return fd;
}

static void leave_it_to_a_child(void)
{
	pid_t pid = fork();

	if (pid < 0)
		fail("fork");
	if (pid > 0)
		_exit(0);
}

static void *hold_alone(void *path)
{
	if (unshare(CLONE_FILES) < 0)
		fail("unshare");
	open_it(path);
	stay();
}

/* If the event occurs, waits for the next one. */
static void *wait_for_event(void *path)
{
	struct pollfd p = { .fd = open_it(path) };

	for (;;)
		if (poll(&p, 1, -1) > 0)
			usleep(1000);
	return NULL;
}

static void start(void *(*run)(void *), char *path)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, run, path) != 0)
		fail("thread");
	usleep(100000);
}

static int watch(int fd)
{
	struct epoll_event event = { .events = EPOLLIN };
	int set = epoll_create1(EPOLL_CLOEXEC);

	/* a file without poll cannot be watched, but is still held */
	if (set < 0 || (epoll_ctl(set, EPOLL_CTL_ADD, fd, &event) < 0 && errno != EPERM))
		fail("epoll");
	epoll_wait(set, &event, 1, 0);
	return set;
}

static void send_it(int fd)
{
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int))];
	} rights = { .head = { CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS } };
	struct iovec byte = { "x", 1 };
	struct msghdr message = { .msg_iov = &byte, .msg_iovlen = 1, .msg_control = &rights,
				  .msg_controllen = sizeof(rights) };
	int ends[2];

	memcpy(CMSG_DATA(&rights.head), &fd, sizeof(fd));
	if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, ends) < 0 || sendmsg(ends[0], &message, 0) < 0)
		fail("send");
	close(fd);
}

int main(int argc, char **argv)
{
	const char *way = argc > 2 ? argv[1] : "";

	for (int i = 2; i < argc; i++) {
		char *path = argv[i];

		if (strcmp(way, "open") == 0)
			open_it(path);
		else if (strcmp(way, "dup") == 0)
			open_it(path), leave_it_to_a_child();
		else if (strcmp(way, "thread") == 0)
			start(hold_alone, path);
		else if (strcmp(way, "poll") == 0)
			start(wait_for_event, path);
		else if (strcmp(way, "epoll") == 0)
			watch(open_it(path));
		else if (strcmp(way, "send") == 0)
			send_it(open_it(path));
		else if (strcmp(way, "close") == 0) {
			int fd = open_it(path);

			watch(fd);
			close(fd);
		} else
			return 2;
	}
	if (argc < 3)
		return 2;
	stay();
}
