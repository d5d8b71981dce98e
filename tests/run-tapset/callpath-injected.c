// SPDX-License-Identifier: GPL-2.0-or-later
/* System calls that fail because the kernel is told to let an allocation or a function fail. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int nth_file;

/* The Nth thing from now on that can fail in this thread does; 0: none. */
static void fail_nth(int n)
{
	char text[16];

	pwrite(nth_file, text, snprintf(text, sizeof(text), "%d", n), 0);
}

int main(void)
{
	int ends[2];

	nth_file = open("/proc/thread-self/fail-nth", O_RDWR);
	if (nth_file < 0) {
		perror("fail-nth");
		return 1;
	}
	fail_nth(1), open("/dev/null", O_RDONLY), fail_nth(0);	/* ENOMEM */
	fail_nth(1), epoll_create1(0), fail_nth(0);		/* ENOMEM */
	fail_nth(1), eventfd(0, 0), fail_nth(0);			/* ENOMEM */
	fail_nth(1), inotify_init1(0), fail_nth(0);		/* ENOMEM */
	fail_nth(1), timerfd_create(CLOCK_MONOTONIC, 0), fail_nth(0);	/* ENOMEM */
	fail_nth(1), pipe(ends), fail_nth(0);				/* ENFILE */
	fail_nth(1), socket(AF_UNIX, SOCK_STREAM, 0), fail_nth(0);	/* ENFILE */
	fail_nth(1), mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), fail_nth(0);	/* ENOMEM */
	personality(0xffffffff);					/* EIO, by fail_function */
	return 0;
}
