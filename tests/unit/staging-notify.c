// SPDX-License-Identifier: GPL-2.0-or-later
/* The protocol of sd_notify(3), with real sockets: paths, abstract names, and what can be wrong with a name.
 * Only the first call of a process sends, so each case is a process. */
#include "common/notify.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static int failures;

/* As a service manager does it. */
static int listen_at(const char *name)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);

	strncpy(at.sun_path, name, sizeof(at.sun_path) - 1);
	if (*name == '@')
		at.sun_path[0] = '\0';
	if (bind(fd, (struct sockaddr *)&at, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(name))) < 0) {
		perror(name);
		exit(1);
	}
	return fd;
}

/* The results of two calls in a child with NOTIFY_SOCKET=NAME. */
static void check(const char *name, int first)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		if (name)
			setenv("NOTIFY_SOCKET", name, 1);
		else
			unsetenv("NOTIFY_SOCKET");
		status = notify_ready();
		_exit(notify_ready() ? 255 : status);
	}
	waitpid(pid, &status, 0);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != first) {
		printf("'%s': status %x, expected %d\n", name ? name : "(unset)", (unsigned)status, first);
		failures++;
	}
}

/* What FD has got: TEXT, or nothing. */
static void expect(const char *name, int fd, const char *text)
{
	char got[64] = "";
	ssize_t n = recv(fd, got, sizeof(got) - 1, 0);

	if ((n < 0 ? strlen(text) != 0 : strcmp(got, text) != 0) || recv(fd, got, sizeof(got), 0) >= 0) {
		printf("'%s': got '%s' (%zd), expected '%s' once\n", name, got, n, text);
		failures++;
	}
}

static void told(const char *name)
{
	int fd = listen_at(name);

	check(name, 0);
	expect(name, fd, "READY=1");
	check(NULL, 0);
	check("", 0);
	expect(name, fd, "");
	close(fd);
	check(name, ECONNREFUSED);
}

int main(void)
{
	char dir[] = "/tmp/notify-XXXXXX", path[64], abstract[64], longest[108], more[109];

	if (!mkdtemp(dir))
		return 1;
	sprintf(path, "%s/socket", dir);
	sprintf(abstract, "@%s", dir);
	told(path);
	told(abstract);
	unlink(path);
	check(path, ENOENT);
	memset(longest, 'x', sizeof(longest));			/* NUL not counted: the longest that fits */
	memcpy(longest, abstract, strlen(abstract));
	longest[sizeof(longest) - 1] = '\0';
	told(longest);
	memset(more, 'x', sizeof(more));
	more[0] = '/';
	more[sizeof(more) - 1] = '\0';
	check(more, ENAMETOOLONG);
	check("vsock:2:1234", EAFNOSUPPORT);
	check("socket", EAFNOSUPPORT);
	rmdir(dir);
	if (!failures)
		printf("ok staging-notify\n");
	return failures != 0;
}
