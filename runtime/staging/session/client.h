/* SPDX-License-Identifier: GPL-2.0-or-later */
/* taprun's side of tapd. The daemon loads and unloads modules for users who may not do so themselves. Its
 * messages appear as our own. */
#ifndef STAGING_CLIENT_H
#define STAGING_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include "control.h"
#include "common/module.h"
#include "common/status.h"

struct client {
	int socket;
	uint64_t memory;	/* bytes of kernel memory that the session may use; 0: no limit */
};

/* False, without a message, if nothing listens on the socket. */
bool client_open(struct client *c);
/* Loads M, or attaches to the session of module NAME, and opens CONTROL. */
enum tap_status client_load(struct client *c, struct module *m, bool rename, struct control *control);
enum tap_status client_attach(struct client *c, const char *name, struct control *control);
/* Unloads a module whose session is over or detached. */
enum tap_status client_remove(struct client *c, const char *name);
/* Ends a session that was loaded or attached, by unloading it or leaving it running. */
enum tap_status client_end(struct client *c);
enum tap_status client_detach(struct client *c);
void client_close(struct client *c);

#endif
