/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What kernel, module and process probes have in common: function("..."), statement("..."), labels and
 * addresses in an image, and what may stand behind them (.call, .inline, .return ...). */
#ifndef TAPC_PLACE_SEARCH_H
#define TAPC_PLACE_SEARCH_H

#include "debuginfo/debuginfo.h"
#include "debuginfo/place.h"
#include "family.h"
#include "library/place_spec.h"

/* In point_shape.what, beside the family's own from KIND_OWN on. */
enum {
	KIND_CALL = 1 << 0,		/* out-of-line entries */
	KIND_INLINE = 1 << 1,		/* inlined copies */
	KIND_RETURN = 1 << 2,
	KIND_EXPORTED = 1 << 3,		/* only what other images can link to */
	KIND_LABEL = 1 << 4,
	KIND_STATEMENT = 1 << 5,
	KIND_NEAREST = 1 << 6,
	KIND_NUMBER = 1 << 7,		/* an address instead of a name */
	KIND_SYMBOLS = 1 << 8,		/* nothing is asked of debug information */
	KIND_CALLEE = 1 << 9,		/* what the function calls */
	KIND_NO_STACK = 1 << 10,	/* who called the caller is not known */
	KIND_OWN = 1 << 16,
};

#define PLACE_SHAPES(image, whose, kind) \
	{ image ".function(string)", whose " functions: entries, and where they are inlined", \
	  (kind) | KIND_CALL | KIND_INLINE }, \
	{ image ".function(string).call", "entry of " whose " functions", (kind) | KIND_CALL }, \
	{ image ".function(string).inline", "where " whose " functions are inlined", \
	  (kind) | KIND_INLINE }, \
	{ image ".function(string).return", "return from " whose " functions", (kind) | KIND_RETURN }, \
	{ image ".function(string).exported", "entry of " whose " functions that are exported", \
	  (kind) | KIND_CALL | KIND_EXPORTED }, \
	{ image ".function(string).exported.return", "return from " whose " functions that are exported", \
	  (kind) | KIND_RETURN | KIND_EXPORTED }, \
	{ image ".function(string).label(string)", "a label in " whose " functions", \
	  (kind) | KIND_LABEL }, \
	{ image ".function(string).callee(string)", "what " whose " functions call, or have inlined", \
	  (kind) | KIND_CALLEE | KIND_CALL | KIND_INLINE }, \
	{ image ".function(string).callee(string).call", "entry of what " whose " functions call", \
	  (kind) | KIND_CALLEE | KIND_CALL }, \
	{ image ".function(string).callee(string).return", "return from what " whose " functions call", \
	  (kind) | KIND_CALLEE | KIND_RETURN }, \
	{ image ".function(string).callees", "all that " whose " functions call, or have inlined", \
	  (kind) | KIND_CALLEE | KIND_CALL | KIND_INLINE }, \
	{ image ".function(string).callees(number)", "the same, and what that calls, so many deep", \
	  (kind) | KIND_CALLEE | KIND_CALL | KIND_INLINE }, \
	{ image ".function(number)", "entry of the function at an address", \
	  (kind) | KIND_CALL | KIND_NUMBER }, \
	{ image ".function(number).call", "entry of the function at an address", \
	  (kind) | KIND_CALL | KIND_NUMBER }, \
	{ image ".function(number).return", "return from the function at an address", \
	  (kind) | KIND_RETURN | KIND_NUMBER }, \
	{ image ".statement(string)", "source lines", (kind) | KIND_STATEMENT }, \
	{ image ".statement(string).nearest", "the next source line that has code", \
	  (kind) | KIND_STATEMENT | KIND_NEAREST }, \
	{ image ".statement(number)", "the instruction at an address, as linked", \
	  (kind) | KIND_STATEMENT | KIND_NUMBER }

/* One point being resolved in one image. */
struct place_search {
	const struct point *point;
	const struct point_shape *shape;
	struct sites *sites;
	struct place_spec spec;
	const char *label;
	uint64_t number;
	struct debuginfo *image;
	struct debuginfo_facts facts;
	bool wild;
	const struct debug_place *caller;	/* of a callee; NULL: the place is what was asked for */
	/* A place that was found. */
	void (*add)(struct place_search *s, const struct debug_place *place);
	/* With KIND_NUMBER, number as an offset of debug_place. False: it is none. */
	bool (*offset)(struct place_search *s, const char **section, int64_t *offset);
	/* Why tapc refuses a place that the kernel would accept, as a whole sentence; NULL: it does not. The member
	 * is NULL in families that refuse none. */
	const char *(*denies)(struct place_search *s, const struct debug_place *place);
	const void *data;		/* the family's */
};

static inline bool place_search_is(const struct place_search *s, int kind)
{
	return s->shape->what & kind;
}

/* Read what the point says. False with reasons. */
bool place_search_begin(struct place_search *s);
/* Add the places of IMAGE. False with reasons: none. */
bool place_search_image(struct place_search *s, struct debuginfo *image);

/* Is P to be added? If it cannot be probed, that is counted or told. */
bool place_search_wants(struct place_search *s, const struct debug_place *p);
/* place_callee.c: add what ROOTS call. */
bool place_search_callees(struct place_search *s, const debug_places *roots);

/* The point as pp() shows it: the function's name is a byte 1, and the arguments of components named NAME
 * or of "library" read VALUE. */
const char *place_site_name(const struct place_search *s, const char *name, const char *value,
			    const char *label);
/* What stands for the byte 1. */
const char *place_shown(const struct place_search *s, const struct debug_place *p);
uint32_t place_site_flags(const struct place_search *s, const struct debug_place *p);
/* The callers of sites of one row, as the definition of callers_NUMBER; nothing when there are none. */
void place_write_callers(struct text *out, const struct site *const *sites, size_t n, unsigned number);
/* A build-id as a C expression. */
void place_write_build_id(struct text *out, const struct debuginfo_facts *facts);
/* The members of struct tap_process that tell which build of a program is meant. */
void place_write_program_id(struct text *out, struct debuginfo *program);

#endif
