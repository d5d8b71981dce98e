/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What tapd permits to which users: the file /etc/tapc/tapd.conf and the peer's groups. */
#ifndef STAGING_POLICY_H
#define STAGING_POLICY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define POLICY_FILE "/etc/tapc/tapd.conf"

struct policy {
	char *developers, *users;	/* group names */
	char *modules, *keys;		/* directories of trusted modules and of public keys */
	uint64_t sessions;		/* per user at once; 0: no limit, as for the following */
	uint64_t memory;		/* kernel memory of one session in bytes */
	uint64_t user_memory;		/* of all sessions of a user */
	uint64_t seconds;		/* of one session */
	bool detach;			/* sessions may go on without a client */
};

/* Reads the file at PATH over the built-in values; a missing file is the same as an empty one. False, with a
 * message, if it has an error or is writable by users other than root. */
bool policy_read(struct policy *p, const char *path);
void policy_free(struct policy *p);

/* The process at the other end of a socket, as it was when it connected. */
struct peer {
	pid_t pid;
	uid_t uid;
	gid_t *groups;
	unsigned group_count;
	char *name;			/* NULL: not looked up yet */
};

/* False if the kernel does not provide it. */
bool peer_get(struct peer *p, int socket);
/* The user's name, or "?" if the user database has no entry; then the peer is not known. */
const char *peer_name(struct peer *p);
bool peer_is_known(struct peer *p);
void peer_free(struct peer *p);

enum policy_right {
	POLICY_NOTHING,
	POLICY_TRUSTED,		/* modules in the trusted directory or with a trusted signature */
	POLICY_ANYTHING,
};

enum policy_right policy_right(const struct policy *p, const struct peer *peer);

#endif
