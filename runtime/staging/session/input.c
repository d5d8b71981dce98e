// SPDX-License-Identifier: GPL-2.0-or-later
/* A script with input probes has the file /proc/systemtap/NAME/__stdin (tapsets/input.stp). Each write to it is
 * a hit, so each byte is written separately. A byte that the module does not accept, because the session is
 * about to end, is lost. */
#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int input_open(const char *proc, const char *name)
{
	char path[4096];

	if (snprintf(path, sizeof(path), "%s/systemtap/%s/__stdin", proc, name) >= (int)sizeof(path))
		return -1;
	return open(path, O_WRONLY | O_CLOEXEC);
}

bool input_feed(int fd)
{
	char bytes[256];
	ssize_t n = read(STDIN_FILENO, bytes, sizeof(bytes));

	for (ssize_t i = 0; i < n; i++)
		if (write(fd, &bytes[i], 1) != 1)
			return false;
	return n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN));
}
