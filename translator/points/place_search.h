/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The common part of kernel, module and process probes: function("..."), statement("..."), labels
 * and addresses in an image, and their suffixes (.call, .inline, .return ...). */
#ifndef TAPC_PLACE_SEARCH_H
#define TAPC_PLACE_SEARCH_H

#include "debuginfo/debuginfo.h"
#include "debuginfo/place.h"
#include "family.h"
#include "library/place_spec.h"
#include "debuginfo/symbols/symbols.h"

#include "tap_script.h"

/* Bits of point_shape.what. Families have their own bits from KIND_OWN on. */
enum {
	KIND_CALL = 1 << 0,		/* out-of-line entries */
	KIND_INLINE = 1 << 1,		/* inlined copies */
	KIND_RETURN = 1 << 2,
	KIND_EXPORTED = 1 << 3,		/* only functions that other images can link to */
	KIND_LABEL = 1 << 4,
	KIND_STATEMENT = 1 << 5,
	KIND_NEAREST = 1 << 6,
	KIND_NUMBER = 1 << 7,		/* an address instead of a name */
	KIND_SYMBOLS = 1 << 8,		/* found in symbol tables only, without debug information */
	KIND_CALLEE = 1 << 9,		/* the functions that the function calls */
	KIND_NO_STACK = 1 << 10,	/* the stack above the caller is not available */
	KIND_FALLIBLE = 1 << 11,	/* only functions whose result may be an error number */
	KIND_TAKES = 1 << 12,		/* only functions that take a pointer to a struct */
	KIND_OWN = 1 << 16,
};

#define PLACE_SHAPES(image, whose, kind) \
	{ image ".function(string)", whose " functions: entries and inlined copies", \
	  (kind) | KIND_CALL | KIND_INLINE }, \
	{ image ".function(string).call", "entry of " whose " functions", (kind) | KIND_CALL }, \
	{ image ".function(string).inline", "inlined copies of " whose " functions", \
	  (kind) | KIND_INLINE }, \
	{ image ".function(string).return", "return from " whose " functions", (kind) | KIND_RETURN }, \
	{ image ".function(string).exported", "entry of " whose " exported functions", \
	  (kind) | KIND_CALL | KIND_EXPORTED }, \
	{ image ".function(string).exported.return", "return from " whose " exported functions", \
	  (kind) | KIND_RETURN | KIND_EXPORTED }, \
	{ image ".function(string).label(string)", "a label in " whose " functions", \
	  (kind) | KIND_LABEL }, \
	{ image ".function(string).callee(string)", "callees of " whose " functions, called or inlined", \
	  (kind) | KIND_CALLEE | KIND_CALL | KIND_INLINE }, \
	{ image ".function(string).callee(string).call", "entry of callees of " whose " functions", \
	  (kind) | KIND_CALLEE | KIND_CALL }, \
	{ image ".function(string).callee(string).return", "return from callees of " whose " functions", \
	  (kind) | KIND_CALLEE | KIND_RETURN }, \
	{ image ".function(string).callees", "all callees of " whose " functions, called or inlined", \
	  (kind) | KIND_CALLEE | KIND_CALL | KIND_INLINE }, \
	{ image ".function(string).callees(number)", "the same, with callees of callees to depth N", \
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

/* The addresses after the calls that lead to a place, as offsets like its own: a function's entry is hit only if it was
 * called from there. Or the entry of a function that jumps to it. */
struct place_callers {
	VEC(struct tap_caller) list;
	unsigned depth;			/* a return address in the root is at most this many frames up */
};

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
	const struct debug_place *caller;	/* the root, during a search for its callees; else NULL */
	const struct place_callers *callers;	/* of the place that is added; NULL: any caller */
	/* Called for each place that was found. */
	void (*add)(struct place_search *s, const struct debug_place *place);
	/* With KIND_NUMBER: convert number to an offset as in debug_place. False: the number is
	 * not in the image. */
	bool (*offset)(struct place_search *s, const char **section, int64_t *offset);
	/* Why tapc refuses a place that the kernel would accept, as a whole sentence; NULL: it
	 * accepts the place. The member is NULL in families that refuse no place. */
	const char *(*denies)(struct place_search *s, const struct debug_place *place);
	const void *data;		/* private to the family */
};

static inline bool place_search_is(const struct place_search *s, int kind)
{
	return s->shape->what & kind;
}

/* Parse the arguments of the point. False with reasons. */
bool place_search_begin(struct place_search *s);
/* Add the places in IMAGE. False with reasons: no place was found. */
bool place_search_image(struct place_search *s, struct debuginfo *image);

/* The point as pp() shows it: the name of the function is a byte 1, and the arguments of the
 * component NAME and of "label" are VALUE and LABEL. */
const char *place_site_name(const struct place_search *s, const char *name, const char *value,
			    const char *label);
/* The text that replaces the byte 1. */
const char *place_shown(const struct place_search *s, const struct debug_place *p);
uint32_t place_site_flags(const struct place_search *s, const struct debug_place *p);

#endif
