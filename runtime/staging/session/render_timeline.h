/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts a record to events of a timeline and to requests for the session. */
#ifndef STAGING_RENDER_TIMELINE_H
#define STAGING_RENDER_TIMELINE_H

#include "render.h"
#include "timeline/timeline.h"

/* The same as render_record(), but adds to TIMELINE. */
bool render_record_timeline(const struct meta *m, const struct tap_record *record, uint32_t cpu,
			    struct timeline *timeline, const struct render_requests *requests, void *session);

#endif
