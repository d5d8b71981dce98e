// SPDX-License-Identifier: GPL-2.0-or-later
/* Everything known about a visitor comes from the kernel: the user and groups at the time of the connection.
 * Nothing that the visitor sends is read here. */
#include "visitor.h"

#include <stdio.h>
#include <string.h>
#include <syslog.h>

#include "common/message.h"
#include "common/protocol.h"

static struct visitor *listener;

/* TEXT may contain bytes of the client's module, which must not start a new line in the log. */
static void tell(int priority, const char *text, size_t size)
{
	char line[4096] = { (char)priority };

	if (size && text[size - 1] == '\n')
		size--;
	if (size > sizeof(line) - 1)
		size = sizeof(line) - 1;
	if (priority > LOG_WARNING)
		return;
	for (size_t i = 0; i < size; i++)
		line[i + 1] = (unsigned char)text[i] < ' ' || text[i] == 0x7f ? '?' : text[i];
	protocol_send(listener->socket, TAPD_MESSAGE, 0, line, (uint32_t)size + 1, NULL, 0);
	if (!listener->quiet)
		syslog(priority, "to %s (process %d): %.*s", peer_name(&listener->peer), (int)listener->peer.pid,
		       (int)size, line + 1);
}

void visitor_listens(struct visitor *v)
{
	listener = v;
	message_to(v ? tell : NULL);
}

/* Subordinate user ids (subuid(5)) keep the groups of the user who has them. If they counted as users, that
 * user's limits would be multiplied by the number of ids. */
static bool is_user(struct visitor *v)
{
	if (!v->peer.uid || peer_is_known(&v->peer))
		return true;
	message_error("user id %u has no entry in the user database, so it has no rights",
		      (unsigned)v->peer.uid);
	return false;
}

bool visitor_identify(struct visitor *v)
{
	if (peer_get(&v->peer, v->socket))
		return true;
	v->peer.uid = (uid_t)-1;
	message_error("the kernel does not identify the client");
	return false;
}

bool visitor_is_welcome(struct visitor *v, const char *config)
{
	if (!policy_read(&v->policy, config))
		return false;
	v->right = policy_right(&v->policy, &v->peer);
	if (v->right != POLICY_NOTHING)
		return is_user(v);
	message_error("user %s is neither in group %s, which may load any module, nor in %s, which may load "
		      "trusted modules (a new membership takes effect at the next login)", peer_name(&v->peer),
		      v->policy.developers, v->policy.users);
	return false;
}

void visitor_done(const struct visitor *v, enum tap_status status)
{
	char byte = (char)status;

	protocol_send(v->socket, TAPD_DONE, 0, &byte, 1, NULL, 0);
}

void visitor_free(struct visitor *v)
{
	peer_free(&v->peer);
	policy_free(&v->policy);
}
