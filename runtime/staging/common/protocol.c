// SPDX-License-Identifier: GPL-2.0-or-later
/* A packet is one sendmsg and one recvmsg, so no state is kept between packets. The peer is not trusted: a
 * packet that is too long, has too many descriptors or the wrong magic is refused as a whole. */
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

/* Every received descriptor is stored in P or closed. */
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

static ssize_t receive(int socket, struct msghdr *message, int flags)
{
	ssize_t n;

	do {
		n = recvmsg(socket, message, flags);
	} while (n < 0 && errno == EINTR);
	return n;
}

/* 0 or errno for a received packet of N bytes. */
static int check(struct tapd_packet *p, ssize_t n, bool good)
{
	if (n <= 0)
		return n == 0 || errno == ECONNRESET ? ENOTCONN : errno;
	if (!good || n < (ssize_t)sizeof(p->head) || p->head.magic != TAPD_MAGIC || p->head.version != TAPD_VERSION)
		return EPROTO;
	p->size = (uint32_t)((size_t)n - sizeof(p->head));
	p->text[p->size] = 0;
	return 0;
}

int protocol_receive(int socket, struct tapd_packet *p)
{
	struct iovec parts[] = { { &p->head, sizeof(p->head) }, { p->text, sizeof(p->text) - 1 } };
	union fd_room room;
	struct msghdr message = { .msg_iov = parts, .msg_iovlen = 2,
				  .msg_control = &room, .msg_controllen = sizeof(room) };
	ssize_t n;
	int err;

	p->fds[0] = p->fds[1] = -1;
	p->size = 0;
	n = receive(socket, &message, MSG_CMSG_CLOEXEC);
	err = check(p, n, n > 0 && take_fds(p, &message));
	if (err)
		protocol_close_fds(p);
	return err;
}

/* The kernel sets MSG_CTRUNC if a packet has descriptors and there is no room for them. A packet that was only
 * peeked at stays in the socket, so nothing is closed here. */
static bool has_fds(const struct msghdr *message)
{
	return message->msg_flags & MSG_CTRUNC;
}

int protocol_receive_plain(int socket, struct tapd_packet *p)
{
	struct iovec parts[] = { { &p->head, sizeof(p->head) }, { p->text, sizeof(p->text) - 1 } };
	struct msghdr nothing = { 0 }, message = { .msg_iov = parts, .msg_iovlen = 2 };
	ssize_t n;

	p->fds[0] = p->fds[1] = -1;
	p->size = 0;
	n = receive(socket, &nothing, MSG_PEEK);
	if (n >= 0 && has_fds(&nothing))
		return EPROTO;
	if (n >= 0)
		n = receive(socket, &message, MSG_DONTWAIT);
	return check(p, n, !(message.msg_flags & (MSG_CTRUNC | MSG_TRUNC)));
}

enum waiting { NOTHING_WAITS, PACKET_WAITS, DANGER_WAITS };

/* An empty packet must not be mistaken for the end of the stream. So the sender's credentials are requested,
 * which every packet has and the end has not. The control buffer has room for these only. */
static enum waiting look(int socket)
{
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(struct ucred))];
	} sender;
	struct msghdr message;
	ssize_t n;

	do {		/* a reset by the peer is reported once, before the packets that it left */
		message = (struct msghdr){ .msg_control = &sender, .msg_controllen = sizeof(sender) };
		n = receive(socket, &message, MSG_PEEK | MSG_DONTWAIT);
	} while (n < 0 && errno == ECONNRESET);
	if (n < 0 || has_fds(&message))
		return DANGER_WAITS;
	return message.msg_controllen ? PACKET_WAITS : NOTHING_WAITS;
}

bool protocol_shut(int socket)
{
	enum waiting waiting = DANGER_WAITS;
	const int on = 1;
	char byte;

	shutdown(socket, SHUT_RD);
	if (setsockopt(socket, SOL_SOCKET, SO_PASSCRED, &on, sizeof(on)) < 0)
		return false;
	while ((waiting = look(socket)) == PACKET_WAITS)
		if (recv(socket, &byte, sizeof(byte), MSG_DONTWAIT) < 0)
			return false;
	return waiting == NOTHING_WAITS;
}

void protocol_close_fds(struct tapd_packet *p)
{
	host_close(&p->fds[0]);
	host_close(&p->fds[1]);
}
