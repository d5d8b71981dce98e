/* SPDX-License-Identifier: GPL-2.0-or-later */
/* taprun's side of tapd: modules are loaded and unloaded by the daemon, for who may not do so himself.
 * What the daemon has to say appears as messages of our own. */
#ifndef STAGING_CLIENT_H
#define STAGING_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include "control.h"
#include "common/module.h"
#include "common/status.h"

struct client {
	int socket;
	uint64_t memory;	/* bytes that the session may have in the kernel; 0: no limit */
};

/* False, without a message, when nobody listens there. */
bool client_open(struct client *c);
/* Load M, or attach to the session of module NAME; CONTROL is open then. */
enum tap_status client_load(struct client *c, struct module *m, bool rename, struct control *control);
enum tap_status client_attach(struct client *c, const char *name, struct control *control);
/* Unload a module whose session is over, or detached. */
enum tap_status client_remove(struct client *c, const char *name);
/* The end of a session that was loaded or attached: unload it; leave it running. */
enum tap_status client_end(struct client *c);
enum tap_status client_detach(struct client *c);
void client_close(struct client *c);

#endif
