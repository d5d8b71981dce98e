/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What tapd lets whom do: the file /etc/tapc/tapd.conf, and the peer's groups. */
#ifndef STAGING_POLICY_H
#define STAGING_POLICY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define POLICY_FILE "/etc/tapc/tapd.conf"

struct policy {
	char *developers, *users;	/* names of groups */
	char *modules, *keys;		/* directories of trusted modules and of public keys */
	uint64_t sessions;		/* of one user at once; 0: no limit, as below */
	uint64_t memory;		/* bytes in the kernel, of one session */
	uint64_t user_memory;		/* of all sessions of one user */
	uint64_t seconds;		/* of one session */
	bool detach;			/* sessions may go on without their client */
};

/* The file at PATH over what is built in; a file that is not there is an empty one. False, with a
 * message, when it cannot be understood or others than root may write to it. */
bool policy_read(struct policy *p, const char *path);
void policy_free(struct policy *p);

/* Who is on the other side of a socket, as the kernel knew it when he connected. */
struct peer {
	pid_t pid;
	uid_t uid;
	gid_t *groups;
	unsigned group_count;
	char *name;			/* NULL: not asked for yet */
};

/* False when the kernel does not tell. */
bool peer_get(struct peer *p, int socket);
/* His name; "?" when the user database has none for him, and then he is not known. */
const char *peer_name(struct peer *p);
bool peer_is_known(struct peer *p);
void peer_free(struct peer *p);

enum policy_right {
	POLICY_NOTHING,
	POLICY_TRUSTED,		/* modules that are in the trusted directory or have a trusted signature */
	POLICY_ANYTHING,
};

enum policy_right policy_right(const struct policy *p, const struct peer *peer);

#endif
