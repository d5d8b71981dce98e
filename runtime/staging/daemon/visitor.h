/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A client of tapd: who is at the other end of a socket, what the policy says of him, and how he and the log
 * are told things. */
#ifndef STAGING_VISITOR_H
#define STAGING_VISITOR_H

#include <stdbool.h>

#include "policy.h"
#include "common/status.h"

struct visitor {
	int socket;
	struct peer peer;
	struct policy policy;
	enum policy_right right;
	bool quiet;			/* he has filled enough of the log: what goes wrong is not on record */
};

/* Messages go to V, and into the log, from now on. */
void visitor_listens(struct visitor *v);
/* Who he is. False, with a message: the kernel does not tell. */
bool visitor_identify(struct visitor *v);
/* What he may do. False, with a message: nothing. */
bool visitor_is_welcome(struct visitor *v, const char *config);
/* His request is over. */
void visitor_done(const struct visitor *v, enum tap_status status);
void visitor_free(struct visitor *v);

#endif
