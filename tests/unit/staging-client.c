// SPDX-License-Identifier: GPL-2.0-or-later
/* The client of tapd, when the daemon answers early and closes the connection while the client sends. Older kernels
 * then fail a send with ECONNREFUSED and drop the answer: sendmsg() does that here, as often as a test asks for. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <syslog.h>
#include <unistd.h>

#include "common/protocol.h"
#include "session/client.h"

static int failed, refusals, connections;
static bool answers;
static __thread bool is_daemon;
static char path[64];

static void fail(const char *what, const char *found)
{
	printf("not ok %s: %s\n", what, found);
	failed = 1;
}

ssize_t sendmsg(int socket, const struct msghdr *message, int flags)
{
	ssize_t (*real)(int, const struct msghdr *, int) = dlsym(RTLD_NEXT, "sendmsg");
	char packet[TAPD_MOST];

	if (is_daemon || !refusals)
		return real(socket, message, flags);
	refusals--;
	while (answers && recv(socket, packet, sizeof(packet), 0) > 0)
		;
	errno = ECONNREFUSED;
	return -1;
}

static void *serve(void *listener)
{
	static const char text[] = { LOG_ERR, 'n', 'o', ' ', 'g', 'r', 'o', 'u', 'p', 0 };
	int fd;

	is_daemon = true;
	while ((fd = accept(*(int *)listener, NULL, NULL)) >= 0) {
		connections++;
		if (!answers)
			continue;	/* open until the test ends */
		protocol_send(fd, TAPD_MESSAGE, 0, text, sizeof(text), NULL, 0);
		protocol_send(fd, TAPD_DONE, 0, &(char){ TAP_STATUS_LOAD }, 1, NULL, 0);
		protocol_shut(fd);		/* as tapd does */
		close(fd);
	}
	return NULL;
}

/* Loads a module of several packets. TEXT is what is printed. */
static enum tap_status load(char *text, size_t room)
{
	static char bytes[3 * TAPD_PIECE];
	struct module m = { .path = "absent.ko", .data = bytes, .size = sizeof(bytes) };
	enum tap_status status = TAP_STATUS_OK;
	struct control control;
	FILE *file = tmpfile();
	int before = dup(2);
	struct client c;

	dup2(fileno(file), 2);
	if (client_open(&c)) {
		status = client_load(&c, &m, false, &control);
		client_close(&c);
	}
	dup2(before, 2);
	close(before);
	rewind(file);
	text[fread(text, 1, room - 1, file)] = 0;
	fclose(file);
	return status;
}

static void check(const char *what, int count, bool does_answer, enum tap_status wanted, const char *wanted_text,
		  int most)
{
	char text[512];
	enum tap_status status;

	refusals = count;
	answers = does_answer;
	connections = 0;
	status = load(text, sizeof(text));
	if (status != wanted || !strstr(text, wanted_text) || strchr(text, '\n') != strrchr(text, '\n'))
		fail(what, text);
	if (connections > most)
		fail(what, "too many connections");
}

int main(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	pthread_t daemon;

	snprintf(path, sizeof(path), "/tmp/tapc-client.%d", (int)getpid());
	strcpy(address.sun_path, path);
	setenv("TAPD_SOCKET", path, 1);
	if (bind(listener, (struct sockaddr *)&address, sizeof(address)) < 0 || listen(listener, 8) < 0 ||
	    pthread_create(&daemon, NULL, serve, &listener)) {
		perror(path);
		return 1;
	}
	check("an early answer", 0, true, TAP_STATUS_LOAD, "no group", 1);
	check("an answer that is dropped once", 1, true, TAP_STATUS_LOAD, "no group", 2);
	check("a daemon that only refuses", 1000, false, TAP_STATUS_HOST, "Connection refused", 4);
	unlink(path);
	return failed;
}
