// SPDX-License-Identifier: GPL-2.0-or-later
/* tapd packets: what is sent arrives with its descriptors; nonsense, oversized packets and too
 * many descriptors are rejected, and no descriptor is leaked. */
#include "common/protocol.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int failures;
#define CHECK(c) \
	((c) ? (void)0 : (void)(failures++, printf("%s:%d: %s\n", __FILE__, __LINE__, #c)))

static int count_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int n = 0;

	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

static void send_raw(int socket, const void *data, size_t size, unsigned fds)
{
	char room[CMSG_SPACE(16 * sizeof(int))] = { 0 };
	struct iovec part = { (void *)data, size };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
	int copies[16] = { 0 };

	if (fds) {
		struct cmsghdr *c;

		message.msg_control = room;
		message.msg_controllen = CMSG_SPACE(fds * sizeof(int));
		c = CMSG_FIRSTHDR(&message);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(fds * sizeof(int));
		memcpy(CMSG_DATA(c), copies, fds * sizeof(int));
	}
	CHECK(sendmsg(socket, &message, 0) == (ssize_t)size);
}

static void test_good(const int pair[2], struct tapd_packet *p)
{
	int fds[2] = { open("/dev/null", O_RDONLY), open("/dev/zero", O_RDONLY) };
	char byte = 1;

	CHECK(protocol_send(pair[0], TAPD_LOAD, TAPD_RENAME, "text", 4, fds, 2) == 0);
	CHECK(protocol_receive(pair[1], p) == 0);
	CHECK(p->head.kind == TAPD_LOAD && p->head.flags == TAPD_RENAME && p->size == 4 &&
	      strcmp(p->text, "text") == 0);
	CHECK(p->fds[0] >= 0 && p->fds[1] >= 0);
	CHECK(read(p->fds[0], &byte, 1) == 0 && read(p->fds[1], &byte, 1) == 1 && byte == 0);
	CHECK(fcntl(p->fds[0], F_GETFD) == FD_CLOEXEC);
	protocol_close_fds(p);
	close(fds[0]);
	close(fds[1]);
	CHECK(protocol_send(pair[0], TAPD_END, 0, NULL, 0, NULL, 0) == 0);
	CHECK(protocol_receive(pair[1], p) == 0 && p->head.kind == TAPD_END && p->size == 0 &&
	      p->fds[0] < 0);
}

static void test_bad(const int pair[2], struct tapd_packet *p)
{
	struct {
		struct tapd_head head;
		char rest[2 * TAPD_MOST];
	} long_one = { .head = { TAPD_MAGIC, TAPD_VERSION, TAPD_LOAD, 0 } };
	struct tapd_head other = { TAPD_MAGIC, TAPD_VERSION + 1, TAPD_LOAD, 0 };
	char text[TAPD_MOST] = "";

	CHECK(protocol_send(pair[0], TAPD_LOAD, 0, text, sizeof(text), NULL, 0) == EMSGSIZE);
	send_raw(pair[0], "nonsense", 8, 0);
	CHECK(protocol_receive(pair[1], p) == EPROTO);
	send_raw(pair[0], &other, sizeof(other), 1);
	CHECK(protocol_receive(pair[1], p) == EPROTO);
	send_raw(pair[0], &long_one.head, 3, 0);
	CHECK(protocol_receive(pair[1], p) == EPROTO);
	send_raw(pair[0], &long_one, sizeof(long_one), 1);
	CHECK(protocol_receive(pair[1], p) == EPROTO);
	send_raw(pair[0], &long_one, sizeof(long_one.head), 16);
	CHECK(protocol_receive(pair[1], p) == EPROTO);
}

/* Random bytes, most with a valid header, some with descriptors. */
static void test_random(const int pair[2], struct tapd_packet *p)
{
	srand(1);
	for (int i = 0; i < 20000; i++) {
		unsigned char bytes[256];
		size_t size = (size_t)rand() % sizeof(bytes) + 1;
		struct tapd_head head = { TAPD_MAGIC, TAPD_VERSION, (uint8_t)rand(), (uint8_t)rand() };
		int err;

		for (size_t k = 0; k < size; k++)
			bytes[k] = (unsigned char)rand();
		if (rand() % 4)
			memcpy(bytes, &head, size < sizeof(head) ? size : sizeof(head));
		send_raw(pair[0], bytes, size, (unsigned)rand() % 5);
		err = protocol_receive(pair[1], p);
		CHECK(err == EPROTO || (err == 0 && p->size + sizeof(head) == size &&
					memcmp(p->text, bytes + sizeof(head), p->size) == 0));
		if (!err)
			protocol_close_fds(p);
	}
}

/* The daemon's reading: it never accepts a descriptor, and leaves the packet with it in the socket; waiting data is
 * discarded up to such a packet, and an empty packet is not the end. */
static void test_plain(struct tapd_packet *p)
{
	const struct tapd_head good = { TAPD_MAGIC, TAPD_VERSION, TAPD_END, 0 };
	int pair[2], before = count_fds();

	CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0);
	send_raw(pair[0], &good, sizeof(good), 0);
	send_raw(pair[0], &good, sizeof(good), 1);
	CHECK(protocol_receive_plain(pair[1], p) == 0 && p->head.kind == TAPD_END);
	CHECK(protocol_receive_plain(pair[1], p) == EPROTO && protocol_receive_plain(pair[1], p) == EPROTO);
	CHECK(count_fds() == before + 2);
	CHECK(!protocol_shut(pair[1]));
	close(pair[0]);
	CHECK(!protocol_shut(pair[1]) && protocol_receive_plain(pair[1], p) == EPROTO);
	close(pair[1]);

	CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0);
	send_raw(pair[0], "", 0, 0);
	send_raw(pair[0], &good, sizeof(good), 0);
	send_raw(pair[0], "", 0, 2);
	CHECK(!protocol_shut(pair[1]));
	CHECK(protocol_send(pair[0], TAPD_END, 0, NULL, 0, NULL, 0) == EPIPE);
	close(pair[0]);
	close(pair[1]);

	CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0);
	for (int i = 0; i < 10; i++)
		send_raw(pair[0], &good, i % 2 ? sizeof(good) : 0, 0);
	CHECK(protocol_send(pair[1], TAPD_END, 0, NULL, 0, NULL, 0) == 0);
	CHECK(protocol_shut(pair[1]) && protocol_shut(pair[1]));
	close(pair[1]);
	CHECK(protocol_receive(pair[0], p) == 0 && p->head.kind == TAPD_END);
	CHECK(protocol_receive(pair[0], p) == ENOTCONN);
	close(pair[0]);
	CHECK(count_fds() == before);
}

int main(void)
{
	static struct tapd_packet p;
	int pair[2], before;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return 2;
	before = count_fds();
	test_good(pair, &p);
	test_bad(pair, &p);
	test_random(pair, &p);
	test_plain(&p);
	CHECK(count_fds() == before);
	close(pair[0]);
	CHECK(protocol_receive(pair[1], &p) == ENOTCONN);
	CHECK(protocol_send(pair[1], TAPD_END, 0, NULL, 0, NULL, 0) == EPIPE);
	return failures != 0;
}
