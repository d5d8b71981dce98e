// SPDX-License-Identifier: GPL-2.0-or-later
#include "party.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/host.h"

_Noreturn void die(const char *what)
{
	fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what, strerror(errno));
	exit(2);
}

static int64_t waited;

int64_t waited_ms(void)
{
	return waited;
}

static void has_waited(int64_t since, unsigned ms)
{
	int64_t took = now_ms() - since;

	waited += took > 10 * ms ? 10 * ms : took ?: 1;
}

void pause_ms(unsigned ms)
{
	int64_t since = now_ms();

	nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * 1000000l }, NULL);
	has_waited(since, ms);
}

/* protocol.c is linked without the rest of the loader. */
void host_close(int *fd)
{
	close(*fd);
	*fd = -1;
}

int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000ll + t.tv_nsec / 1000000;
}

/* ---- communication between processes: one int each way ---- */

int hear(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	int64_t until = waited + LIMIT;
	int answer;

	while (!p.revents && waited < until) {
		int64_t since = now_ms();

		if (poll(&p, 1, 20) <= 0)
			has_waited(since, 20);
	}
	if (!p.revents)
		return HANGS;
	return read(fd, &answer, sizeof(answer)) == sizeof(answer) ? answer : GONE;
}

void say(int fd, int word)
{
	send(fd, &word, sizeof(word), MSG_NOSIGNAL);
}

int order(int fd, int word)
{
	say(fd, word);
	return hear(fd);
}

bool try_send_fd(int socket, int fd, int word)
{
	union { struct cmsghdr head; char room[CMSG_SPACE(sizeof(int))]; } c = { 0 };
	struct iovec part = { &word, sizeof(word) };
	struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = &c, .msg_controllen = sizeof(c) };

	c.head.cmsg_level = SOL_SOCKET;
	c.head.cmsg_type = SCM_RIGHTS;
	c.head.cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(&c.head), &fd, sizeof(fd));
	return sendmsg(socket, &m, MSG_NOSIGNAL) >= 0;
}

void send_fd(int socket, int fd, int word)
{
	if (!try_send_fd(socket, fd, word))
		die("sendmsg");
}

int receive_fd(int socket)
{
	union { struct cmsghdr head; char room[CMSG_SPACE(sizeof(int))]; } c = { 0 };
	int word, fd = -1;
	struct iovec part = { &word, sizeof(word) };
	struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = &c, .msg_controllen = sizeof(c) };

	if (recvmsg(socket, &m, MSG_CMSG_CLOEXEC) > 0 && c.head.cmsg_type == SCM_RIGHTS)
		memcpy(&fd, CMSG_DATA(&c.head), sizeof(fd));
	return fd;
}

struct process start(void (*run)(int socket, const void *what), const void *what)
{
	int ends[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		die("socketpair");
	fflush(stdout);
	pid = fork();
	if (pid < 0)
		die("fork");
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(ends[0]);
		run(ends[1], what);
		_exit(0);
	}
	close(ends[1]);
	return (struct process){ pid, ends[0] };
}

/* False if it does not end: one of its threads is in the kernel, and cannot be killed. */
bool wait_for(pid_t pid, int ms)
{
	for (int64_t until = waited + ms;;) {
		if (waitpid(pid, NULL, WNOHANG) != 0)
			return true;
		if (waited > until)
			return false;
		pause_ms(2);
	}
}

/* The arguments end with NULL; its output goes to OUTPUT. */
pid_t spawn(const char *program, const char *output, ...)
{
	char *words[8] = { (char *)program };
	va_list args;
	pid_t pid = fork();
	int fd;

	if (pid < 0)
		die("fork");
	if (pid > 0)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	fd = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	dup2(fd, 1);
	dup2(fd, 2);
	va_start(args, output);
	for (int i = 1; i < 7 && (words[i] = va_arg(args, char *)); i++)
		;
	va_end(args);
	execvp(program, words);
	_exit(127);
}
