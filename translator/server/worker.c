/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A worker is a fork of the server, so it has all documents and whatever of the library was read before. It writes the
 * length of its message, and the message, to a pipe. Its limits are those of processor time, of memory, and a deadline;
 * its process group includes the compilers that it runs. */
#include "worker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/util.h"

static void set_limit(int what, rlim_t value)
{
	struct rlimit limit = { value, value + 1 };	/* SIGXCPU comes at the first, SIGKILL at the second */

	setrlimit(what, &limit);
}

static void set_limits(unsigned seconds)
{
	set_limit(RLIMIT_CORE, 0);
	set_limit(RLIMIT_CPU, seconds);
#ifndef __SANITIZE_ADDRESS__		/* whose shadow is larger */
	set_limit(RLIMIT_AS, 4ull << 30);
#endif
}

static void send_message(int fd, json_t *message)
{
	char *text = message ? json_dumps(message, JSON_COMPACT) : NULL;
	uint64_t size = text ? strlen(text) : 0;

	if (fd_write(fd, &size, sizeof(size)))
		fd_write(fd, text, size);
}

bool worker_start(struct worker *w, unsigned seconds, json_t *(*work)(void *data), void *data)
{
	int ends[2];
	pid_t child;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return false;
	fflush(NULL);
	child = fork();
	if (child < 0) {
		close(ends[0]);
		close(ends[1]);
		return false;
	}
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		setpgid(0, 0);
		signal(SIGPIPE, SIG_DFL);
		set_limits(seconds);
		send_message(ends[1], work(data));
		_exit(0);
	}
	setpgid(child, child);		/* also here, so that it is true before it is needed */
	close(ends[1]);
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	*w = (struct worker){ .pid = child, .fd = ends[0] };
	clock_gettime(CLOCK_MONOTONIC, &w->deadline);
	w->deadline.tv_sec += seconds;
	return true;
}

bool worker_receive(struct worker *w)
{
	char piece[64 << 10];

	for (;;) {
		ssize_t n = read(w->fd, piece, sizeof(piece));

		if (n > 0)
			bytes_add(&w->output, piece, (size_t)n);
		else if (n == 0)
			return true;
		else if (errno != EINTR)
			return errno != EAGAIN;
	}
}

bool worker_is_late(struct worker *w, int *milliseconds)
{
	struct timespec now;
	int64_t left;

	clock_gettime(CLOCK_MONOTONIC, &now);
	left = (w->deadline.tv_sec - now.tv_sec) * 1000ll + (w->deadline.tv_nsec - now.tv_nsec) / 1000000;
	if (left > 0 && (*milliseconds < 0 || left < *milliseconds))
		*milliseconds = (int)left;
	return w->is_late = left <= 0;
}

void worker_wait(struct worker *w)
{
	struct pollfd p = { .fd = w->fd, .events = POLLIN };
	int left = -1;

	while (!worker_receive(w) && !worker_is_late(w, &left)) {
		poll(&p, 1, left);
		left = -1;
	}
}

const char *worker_end(struct worker *w, size_t *size, char reason[static 64])
{
	uint64_t length = 0;
	int status = 0, number;
	bool has_length = w->output.n >= sizeof(length);

	if (has_length)
		memcpy(&length, w->output.s, sizeof(length));
	*size = length;
	kill(-w->pid, SIGKILL);
	while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
		;
	close(w->fd);
	w->pid = 0;
	number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	if (w->is_late || number == SIGXCPU)
		snprintf(reason, 64, "it took too long");
	else if (number)
		snprintf(reason, 64, "%s", strsignal(number));
	else
		snprintf(reason, 64, "exit status %d", WEXITSTATUS(status));
	if (!has_length || w->output.n - sizeof(length) != length)
		return NULL;
	return w->output.s + sizeof(length);
}

void worker_forget(struct worker *w)
{
	free(w->output.s);
	free(w->uri);
	json_decref(w->id);
	*w = (struct worker){ 0 };
}
