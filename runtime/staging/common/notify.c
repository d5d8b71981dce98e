// SPDX-License-Identifier: GPL-2.0-or-later
/* The socket is named by the environment, which children inherit: systemd listens to the unit's main process only,
 * unless NotifyAccess= says otherwise. */
#include "notify.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "host.h"

static const char ready[] = "READY=1";

/* NAME is a path, or '@' and the name of an abstract socket, which has no NUL at its end. */
static int send_to(const char *name)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	size_t size = strlen(name);
	_cleanup_close_ int fd = -1;

	if (*name != '/' && *name != '@')
		return EAFNOSUPPORT;
	if (size >= sizeof(to.sun_path))
		return ENAMETOOLONG;
	memcpy(to.sun_path, name, size);
	if (*name == '@')
		to.sun_path[0] = '\0';
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || sendto(fd, ready, strlen(ready), MSG_NOSIGNAL, (struct sockaddr *)&to,
			     (socklen_t)(offsetof(struct sockaddr_un, sun_path) + size)) < 0)
		return errno;
	return 0;
}

int notify_ready(void)
{
	static bool called;
	const char *name = called ? NULL : getenv("NOTIFY_SOCKET");

	called = true;
	return name && *name ? send_to(name) : 0;
}
