/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts a record to text and to requests for the session. */
#ifndef STAGING_RENDER_H
#define STAGING_RENDER_H

#include <stdbool.h>
#include <stddef.h>

#include "abi/tap_wire.h"
#include "meta.h"
#include "common/output.h"

/* Requests that a record can contain. All earlier text has been passed to the output before the call. */
struct render_requests {
	void (*exit)(void *session);
	void (*system)(void *session, const char *text, size_t size);
	void (*switch_file)(void *session);
	void (*message)(void *session, bool is_error, const char *text, size_t size);
};

/* False if the record is malformed; the part before the error has been printed. */
bool render_record(const struct meta *m, const struct tap_record *record, uint32_t cpu, struct output *out,
		   const struct render_requests *requests, void *session);

/* Used by both: handles an item that is neither formatted nor TAP_ITEM_TEXT. False if it is unknown. */
bool render_request(const struct tap_item *item, const u8 *body, const struct render_requests *requests,
		    void *session);

#endif
