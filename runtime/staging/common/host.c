// SPDX-License-Identifier: GPL-2.0-or-later
/* Allocation that succeeds or ends the program, descriptors with one owner, and small files read whole. All
 * calls restart after EINTR. */
#include "host.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "message.h"
#include "status.h"

void host_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void host_free(void *p)
{
	free(*(void **)p);
}

static _Noreturn void no_memory(void)
{
	message_error("out of memory");
	message_close();
	_exit(TAP_STATUS_HOST);
}

void *host_alloc(size_t size)
{
	void *p = calloc(1, size ? size : 1);

	if (!p)
		no_memory();
	return p;
}

void *host_grow(void *p, size_t size)
{
	p = realloc(p, size ? size : 1);
	if (!p)
		no_memory();
	return p;
}

char *host_printf(const char *format, ...)
{
	char *text;
	va_list args;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		no_memory();
	va_end(args);
	return text;
}

void host_standard_files(void)
{
	int fd;

	do {
		fd = open("/dev/null", O_RDWR);
	} while (fd >= 0 && fd <= 2);
	if (fd > 2)
		close(fd);
}

void host_allow_files(size_t count)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur >= count)
		return;
	limit.rlim_cur = limit.rlim_max < count ? limit.rlim_max : count;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/* Files in /proc and /sys report no size, so read to the end. */
char *host_read_file(int fd, size_t most, size_t *size)
{
	size_t used = 0, room = 4096;
	struct stat st;
	char *data;

	if (fstat(fd, &st) == 0 && st.st_size > 0 && (size_t)st.st_size <= most)
		room = (size_t)st.st_size + 1;
	data = host_grow(NULL, room + 1);
	for (;;) {
		ssize_t n = read(fd, data + used, room - used);

		if (n < 0 && errno == EINTR)
			continue;
		if (n == 0)
			break;
		if (n > 0)
			used += (size_t)n;
		if (n < 0 || used > most) {
			int err = n < 0 ? errno : EFBIG;

			free(data);
			errno = err;
			return NULL;
		}
		if (used == room) {
			room *= 2;
			data = host_grow(data, room + 1);
		}
	}
	data[used] = 0;
	*size = used;
	return data;
}

char *host_read_line(const char *path)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	size_t size;
	char *text = fd < 0 ? NULL : host_read_file(fd, 1 << 20, &size);

	if (text)
		text[strcspn(text, "\n")] = 0;
	return text;
}

bool host_exists(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0;
}

uint64_t host_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

int64_t host_epoch(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec - (int64_t)host_now();
}

void host_sleep_ms(unsigned ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000L };

	while (nanosleep(&t, &t) < 0 && errno == EINTR)
		;
}
