/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a module reports about itself: formats, probes, limits, the script's name. */
#ifndef STAGING_META_H
#define STAGING_META_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/tap_wire.h"
#include "core/format.h"
#include "core/hist.h"
#include "timeline/forms.h"
#include "timeline/table.h"

struct meta_format {
	const char *text;		/* NUL-terminated */
	u32 size;
	bool is_hist;
	bool is_global;		/* text shows a global at exit */
	struct table *table;	/* text shows a row of it; NULL: no */
	const struct timeline_form *form;	/* a function of the timeline prints it; NULL: no */
	struct tap_hist_shape hist;
	struct tap_format_parsed parsed;	/* unless is_hist */
};

struct meta_probe {
	const char *point, *position;
};

struct meta {
	char *data;			/* the file; all texts point into it */
	const char *script;
	struct meta_format *formats;
	u32 format_count;
	struct tap_directive *directives;	/* of all formats */
	struct meta_probe *probes;	/* in the order of the report's rows */
	u32 probe_count;
	struct tap_limits limits;
	struct tap_hist_style hist_style;
	struct table **tables;	/* of all formats that have one */
	size_t table_count;
	int64_t epoch;			/* offset from time stamps to ns since 1970; set by the caller */
};

/* Parses the file "meta" of DIR, or DATA. False, with a message, if it is invalid. */
bool meta_read(struct meta *m, int dir);
bool meta_parse(struct meta *m, const char *data, size_t size);
void meta_free(struct meta *m);

#endif
