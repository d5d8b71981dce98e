/* SPDX-License-Identifier: GPL-2.0-or-later */
/* libFuzzer: what tapd receives and reads: packets with descriptors, a module's file, the policy. A file accepted
 * as a module has a valid kernel module name at the place it says, and no descriptor is leaked.
 *
 * sources: runtime/staging/common/*.c runtime/staging/daemon/policy.c
 * seeds: $TAPC $TAPC_ARGS --quiet -p4 -m seed -e 'probe begin { }' || exit
 * seeds: { printf '\001'; cat seed.ko; } >module && rm seed.ko
 */
#include <ctype.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/host.h"
#include "common/message.h"
#include "common/module.h"
#include "daemon/policy.h"
#include "common/protocol.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ignore(int priority, const char *text, size_t size)
{
	(void)priority;
	if (size && !text)
		abort();
}

/* The next free descriptor: must be the same before and after. */
static int next_fd(void)
{
	int fd = dup(STDERR_FILENO);

	close(fd);
	return fd;
}

/* ---- packets ---- */

static void send_packet(int socket, const uint8_t *data, size_t size, unsigned fds)
{
	char room[CMSG_SPACE(8 * sizeof(int))] = { 0 };
	struct iovec part = { (void *)data, size };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
	const int some[8] = { 0, 1, 2, 2, 1, 0, 0, 1 };
	struct cmsghdr *c = (struct cmsghdr *)room;

	if (fds) {
		message.msg_control = room;
		message.msg_controllen = CMSG_SPACE(fds * sizeof(int));
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(fds * sizeof(int));
		memcpy(CMSG_DATA(c), some, fds * sizeof(int));
	}
	sendmsg(socket, &message, MSG_DONTWAIT);
}

static void packets(const uint8_t *data, size_t size)
{
	const struct tapd_head good = { TAPD_MAGIC, TAPD_VERSION, TAPD_LOAD, 0 };
	static uint8_t packet[65536];
	struct tapd_packet p;
	char name[MODULE_NAME_SIZE];
	int pair[2];

	if (size < 2 || size > 32768 || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return;
	memcpy(packet, &good, sizeof(good));
	memcpy(packet + (data[0] & 1 ? sizeof(good) : 0), data + 2, size - 2);
	send_packet(pair[0], packet, size - 2 + (data[0] & 1 ? sizeof(good) : 0), data[1] % 9);
	shutdown(pair[0], SHUT_WR);
	if ((data[0] & 2 ? protocol_receive_plain(pair[1], &p) : protocol_receive(pair[1], &p)) == 0) {
		if (p.size >= TAPD_MOST || p.text[p.size] || strlen(p.text) > p.size)
			abort();
		if (module_name_of(p.text, name) && (strlen(name) >= sizeof(name) || strpbrk(name, "/.")))
			abort();
		protocol_close_fds(&p);
	}
	protocol_shut(pair[1]);
	close(pair[0]);
	close(pair[1]);
}

/* ---- a module ---- */

static void module(const uint8_t *data, size_t size)
{
	struct module m = { .path = "the module", .data = malloc(size ? size : 1), .size = size };

	memcpy(m.data, data, size);
	if (module_parse(&m)) {
		if (m.name_at + sizeof(m.name) > m.size || strcmp(m.data + m.name_at, m.name) || !*m.name)
			abort();
		for (const char *c = m.name; *c; c++)
			if (!isalnum((unsigned char)*c) && *c != '_' && *c != '-')
				abort();
		module_fits_kernel(&m);
		if (module_rename(&m) && strcmp(m.data + m.name_at, m.name))
			abort();
	}
	module_free(&m);
}

/* ---- the policy ---- */

static void policy(const uint8_t *data, size_t size)
{
	int fd = memfd_create("policy", MFD_CLOEXEC);
	char *path = host_printf("/proc/self/fd/%d", fd);
	struct policy p;

	if (fd < 0 || fchmod(fd, 0600) < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	policy_read(&p, path);
	if (!p.developers || !p.users || !p.modules || !p.keys)
		abort();
	policy_free(&p);
	free(path);
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int before = next_fd();

	if (!size)
		return 0;
	message_to(ignore);
	switch (data[0] % 3) {
	case 0: packets(data + 1, size - 1); break;
	case 1: module(data + 1, size - 1); break;
	case 2: policy(data + 1, size - 1); break;
	}
	if (next_fd() != before)
		abort();
	return 0;
}
