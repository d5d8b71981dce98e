// SPDX-License-Identifier: GPL-2.0-or-later
/* The daemon admits a client by its groups before it reads anything, so its answer to a request without data is its
 * answer to any module. */
#include "ask.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "host.h"
#include "protocol.h"

int ask_connect(void)
{
	const char *path = getenv("TAPD_SOCKET");
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd;

	path = path ? path : TAPD_SOCKET;
	if (strlen(path) >= sizeof(address.sun_path))
		return -1;
	strcpy(address.sun_path, path);
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0)
		host_close(&fd);
	return fd;
}

enum ask_answer ask_tapd(char **reason)
{
	_cleanup_close_ int fd = ask_connect();
	struct tapd_packet p;

	*reason = NULL;
	if (fd < 0)
		return ASK_NO_DAEMON;
	protocol_send(fd, TAPD_ASK, 0, NULL, 0, NULL, 0);	/* a refusal may arrive before it */
	while (protocol_receive(fd, &p) == 0) {
		protocol_close_fds(&p);
		if (p.head.kind == TAPD_DONE)
			return p.size == 1 && p.text[0] == 0 ? ASK_YES : ASK_NO;
		if (p.head.kind == TAPD_MESSAGE && p.size) {
			host_free(reason);
			*reason = host_printf("%.*s", (int)p.size - 1, p.text + 1);
		}
	}
	return ASK_NO;
}
