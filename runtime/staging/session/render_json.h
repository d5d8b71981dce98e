/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts a record to JSON and to requests for the session. */
#ifndef STAGING_RENDER_JSON_H
#define STAGING_RENDER_JSON_H

#include "render.h"

/* The same as render_record(), but as JSON. */
bool render_record_json(const struct meta *m, const struct tap_record *record, uint32_t cpu, struct output *out,
			const struct render_requests *requests, void *session);

#endif
