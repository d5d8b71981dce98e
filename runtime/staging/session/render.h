/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A record becomes text, and requests to whoever runs the session. */
#ifndef STAGING_RENDER_H
#define STAGING_RENDER_H

#include <stdbool.h>
#include <stddef.h>

#include "abi/tap_wire.h"
#include "meta.h"
#include "common/output.h"

/* What a record may ask for beside printing. All text before was given to the output already. */
struct render_requests {
	void (*exit)(void *session);
	void (*system)(void *session, const char *text, size_t size);
	void (*switch_file)(void *session);
	void (*message)(void *session, bool is_error, const char *text, size_t size);
};

/* False when it is malformed; what came before the fault was printed. */
bool render_record(const struct meta *m, const struct tap_record *record, struct output *out,
		   const struct render_requests *requests, void *session);

/* The same as JSON. */
bool render_record_json(const struct meta *m, const struct tap_record *record, struct output *out,
			const struct render_requests *requests, void *session);
/* For both: an item that is neither formatted nor TAP_ITEM_TEXT. False when there is no such. */
bool render_request(const struct tap_item *item, const u8 *body, const struct render_requests *requests,
		    void *session);

#endif
