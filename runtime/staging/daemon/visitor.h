/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A client of tapd: the peer of a socket, its rights under the policy, and messages to it and to the log. */
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
	bool quiet;			/* has filled its share of the log: failures are not logged */
};

/* From now on messages go to V and to the log. */
void visitor_listens(struct visitor *v);
/* Determines the peer. False, with a message, if the kernel does not identify it. */
bool visitor_identify(struct visitor *v);
/* Determines the rights. False, with a message, if there are none. */
bool visitor_is_welcome(struct visitor *v, const char *config);
/* Reports the end of the request. */
void visitor_done(const struct visitor *v, enum tap_status status);
void visitor_free(struct visitor *v);

#endif
