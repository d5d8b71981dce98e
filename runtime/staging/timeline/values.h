/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The values of a record, in sequence: a number has 8 bytes, a string 2 bytes of size and its bytes (core/format.h).
 * Each function returns false if the rest is too short. */
#ifndef TIMELINE_VALUES_H
#define TIMELINE_VALUES_H

#include <string.h>

#include "forms.h"

struct values {
	const uint8_t *at;
	size_t left;
};

static inline bool values_take(struct values *v, void *to, size_t size)
{
	if (v->left < size)
		return false;
	memcpy(to, v->at, size);
	v->at += size;
	v->left -= size;
	return true;
}

static inline bool values_number(struct values *v, int64_t *number)
{
	return values_take(v, number, sizeof(*number));
}

/* TEXT points into the record. */
static inline bool values_text(struct values *v, struct timeline_text *text)
{
	uint16_t size;

	if (!values_take(v, &size, sizeof(size)) || v->left < size)
		return false;
	*text = (struct timeline_text){ (const char *)v->at, size };
	v->at += size;
	v->left -= size;
	return true;
}

#endif
