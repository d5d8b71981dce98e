// SPDX-License-Identifier: GPL-2.0-or-later
/* One descriptor, many threads: each reads the whole file at position 0 again and again, others write into it.
 * 	threads FILE SECONDS SIZE	each read must return SIZE/2 times 'a' and SIZE/2 times 'b' */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { READERS = 3, WRITERS = 1, ROOM = 1 << 20 };

static int fd;
static time_t until;
static size_t size;
static volatile bool failed;
static unsigned long reads;

static void *read_it(void *unused)
{
	char *text = malloc(ROOM);

	while (!failed && time(NULL) < until) {
		ssize_t n = pread(fd, text, ROOM, 0);
		size_t a = n > 0 ? strspn(text, "a") : 0;

		for (ssize_t i = (ssize_t)a; i < n; i++)
			a += text[i] != 'b' ? (size_t)ROOM : 0;
		if (n != (ssize_t)size || a != size / 2) {
			failed = true;
			printf("read %zd bytes, %zu of them 'a': %s\n", n, a, n < 0 ? strerror(errno) : "");
		}
		__atomic_add_fetch(&reads, 1, __ATOMIC_RELAXED);
	}
	return unused;
}

static void *write_it(void *unused)
{
	while (!failed && time(NULL) < until)
		if (pwrite(fd, "short", 5, 0) != 5)
			failed = true;
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t threads[READERS + WRITERS];

	fd = argc == 4 ? open(argv[1], O_RDWR) : -1;
	if (fd < 0)
		return 2;
	until = time(NULL) + atoi(argv[2]);
	size = strtoul(argv[3], NULL, 0);
	for (int i = 0; i < READERS + WRITERS; i++)
		pthread_create(&threads[i], NULL, i < READERS ? read_it : write_it, NULL);
	for (int i = 0; i < READERS + WRITERS; i++)
		pthread_join(threads[i], NULL);
	if (!reads)
		printf("nothing was read\n");
	return failed || !reads;
}
