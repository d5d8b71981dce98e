// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "client.h"
#include "party.h"

int client_connect(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	strncpy(address.sun_path, path, sizeof(address.sun_path) - 1);
	for (int64_t until = waited_ms() + LIMIT; waited_ms() < until; pause_ms(5))
		if (connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0)
			return fd;
	close(fd);
	return -1;
}

static int send_module(int socket, int from, unsigned flags)
{
	char piece[TAPD_PIECE];
	struct tapd_load load;
	struct stat st;
	ssize_t n;
	int err;

	if (from < 0 || fstat(from, &st) < 0)
		return errno;
	load.size = (uint64_t)st.st_size;
	err = protocol_send(socket, TAPD_LOAD, flags, &load, sizeof(load), NULL, 0);
	while (!err && (n = read(from, piece, sizeof(piece))) > 0)
		err = protocol_send(socket, TAPD_BYTES, 0, piece, (uint32_t)n, NULL, 0);
	return err == EPIPE || err == ECONNRESET ? 0 : err;	/* it has already answered */
}

int client_load(int socket, const char *module, unsigned flags, struct tapd_packet *p)
{
	int from = open(module, O_RDONLY | O_CLOEXEC), err = send_module(socket, from, flags);

	close(from);
	while (!err && (err = protocol_receive(socket, p)) == 0 && p->head.kind == TAPD_MESSAGE)
		fprintf(stderr, "tapd: %.*s\n", (int)p->size - 1, p->text + 1);
	if (err || p->head.kind == TAPD_SESSION)
		return err;
	protocol_close_fds(p);
	return EPROTO;
}
