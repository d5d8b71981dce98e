// SPDX-License-Identifier: GPL-2.0-or-later
/* The process that closes a file last is the one that waits. So a process is forked that inherits the sockets
 * to be closed, and it ends only after this one has closed them. The number of processes that may wait forever
 * is limited: above it, sockets stay open until one of the processes has ended or too many have collected; then
 * one more process takes all. */
#include "parting.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/host.h"
#include "common/protocol.h"

enum { MOST_PROCESSES = 16, MOST_AT_ALL = 64 };

static struct {
	int listener;
	pid_t pids[MOST_AT_ALL];
	size_t pid_count;
	int *kept;
	size_t kept_count, most_kept;
} self;

/* The limit is a quarter of the descriptors that this process may have. */
void parting_open(int listener)
{
	struct rlimit limit;

	self.listener = listener;
	self.most_kept = 4;
	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur / 4 > self.most_kept)
		self.most_kept = limit.rlim_cur / 4;
}

static void close_kept(void)
{
	while (self.kept_count)
		close(self.kept[--self.kept_count]);
}

/* Exits when GONE's other end is closed everywhere; exiting closes everything. */
static _Noreturn void wait_and_end(int gone)
{
	char byte;

	signal(SIGTERM, SIG_IGN);
	while (read(gone, &byte, 1) < 0 && errno == EINTR)
		;
	_exit(0);
}

/* Forks a process that has all the sockets open until GONE is closed. WITH_LISTENER: the listener, too. */
static pid_t fork_one(int *gone, bool with_listener)
{
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -1;
	pid = fork();
	if (pid == 0) {
		close(ends[1]);
		if (!with_listener)
			close(self.listener);
		wait_and_end(ends[0]);
	}
	close(ends[0]);
	if (pid < 0)
		close(ends[1]);
	*gone = ends[1];
	return pid;
}

static void send_off(void)
{
	bool many = self.pid_count >= MOST_PROCESSES;
	int gone;
	pid_t pid;

	if (!self.kept_count || self.pid_count >= MOST_AT_ALL || (many && self.kept_count < self.most_kept))
		return;
	pid = fork_one(&gone, false);
	if (pid < 0)
		return;
	self.pids[self.pid_count++] = pid;
	close_kept();
	close(gone);
}

void parting_close(int fd)
{
	if (protocol_shut(fd)) {
		close(fd);
		return;
	}
	shutdown(fd, SHUT_RDWR);	/* the peer sees this at once */
	self.kept = host_grow(self.kept, (self.kept_count + 1) * sizeof(*self.kept));
	self.kept[self.kept_count++] = fd;
	send_off();
}

bool parting_is_full(void)
{
	send_off();
	return self.kept_count >= self.most_kept;
}

bool parting_reap(pid_t pid)
{
	for (size_t i = 0; i < self.pid_count; i++)
		if (self.pids[i] == pid) {
			self.pids[i] = self.pids[--self.pid_count];
			send_off();
			return true;
		}
	return false;
}

void parting_forget(void)
{
	close_kept();
}

void parting_end(void)
{
	int gone;
	pid_t pid = fork_one(&gone, true);

	if (pid < 0)
		return;
	close_kept();
	close(self.listener);
	/* GONE is closed when this process exits */
}
