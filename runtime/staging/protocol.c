// SPDX-License-Identifier: GPL-2.0-or-later
/* One packet is one sendmsg and one recvmsg, so there is no state between them. The other side is
 * hostile until shown otherwise: what is too long, has too many descriptors or the wrong magic is
 * refused as a whole. */
#include "protocol.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "host.h"

/* Room for the descriptors of one packet. */
union fd_room {
	struct cmsghdr head;
	char room[CMSG_SPACE(2 * sizeof(int))];
};

static void add_fds(struct msghdr *message, union fd_room *room, const int *fds, unsigned count)
{
	struct cmsghdr *c;

	memset(room, 0, sizeof(*room));
	message->msg_control = room;
	message->msg_controllen = CMSG_SPACE(count * sizeof(int));
	c = CMSG_FIRSTHDR(message);
	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(count * sizeof(int));
	memcpy(CMSG_DATA(c), fds, count * sizeof(int));
}

int protocol_send(int socket, enum tapd_kind kind, unsigned flags, const void *data, uint32_t size,
		  const int *fds, unsigned count)
{
	struct tapd_head head = { TAPD_MAGIC, TAPD_VERSION, (uint8_t)kind, (uint8_t)flags };
	struct iovec parts[] = { { &head, sizeof(head) }, { (void *)data, size } };
	struct msghdr message = { .msg_iov = parts, .msg_iovlen = 2 };
	union fd_room room;
	ssize_t n;

	if (size >= TAPD_MOST || count > 2)
		return EMSGSIZE;
	if (count)
		add_fds(&message, &room, fds, count);
	do {
		n = sendmsg(socket, &message, MSG_NOSIGNAL);
	} while (n < 0 && errno == EINTR);
	return n < 0 ? errno : 0;
}

/* All descriptors that came are P's or closed. */
static bool take_fds(struct tapd_packet *p, struct msghdr *message)
{
	bool good = !(message->msg_flags & (MSG_CTRUNC | MSG_TRUNC));

	for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c; c = CMSG_NXTHDR(message, c)) {
		size_t count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);

		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		for (size_t i = 0; i < count; i++) {
			int fd;

			memcpy(&fd, CMSG_DATA(c) + i * sizeof(int), sizeof(int));
			if (i < ARRAY_SIZE(p->fds) && p->fds[i] < 0)
				p->fds[i] = fd;
			else
				host_close(&fd);
		}
	}
	return good;
}

int protocol_receive(int socket, struct tapd_packet *p)
{
	struct iovec parts[] = { { &p->head, sizeof(p->head) }, { p->text, sizeof(p->text) - 1 } };
	union fd_room room;
	struct msghdr message = { .msg_iov = parts, .msg_iovlen = 2,
				  .msg_control = &room, .msg_controllen = sizeof(room) };
	ssize_t n;

	p->fds[0] = p->fds[1] = -1;
	p->size = 0;
	do {
		n = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
	} while (n < 0 && errno == EINTR);
	if (n <= 0)
		return n == 0 || errno == ECONNRESET ? ENOTCONN : errno;
	if (!take_fds(p, &message) || n < (ssize_t)sizeof(p->head) || p->head.magic != TAPD_MAGIC ||
	    p->head.version != TAPD_VERSION) {
		protocol_close_fds(p);
		return EPROTO;
	}
	p->size = (uint32_t)((size_t)n - sizeof(p->head));
	p->text[p->size] = 0;
	return 0;
}

void protocol_close_fds(struct tapd_packet *p)
{
	host_close(&p->fds[0]);
	host_close(&p->fds[1]);
}
