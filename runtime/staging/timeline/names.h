/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of a timeline: each distinct text is made fit for a viewer once (valid UTF-8, at most NAME_MOST bytes), and has
 * a number that formats with tables of strings use. */
#ifndef TIMELINE_NAMES_H
#define TIMELINE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bytes.h"

enum {
	NAME_MOST = 1024,	/* bytes of a name; viewers draw a part of that */
	NAMES_MOST = 1 << 16,	/* texts that are kept; further ones have number 0 */
};

struct name {
	uint32_t number;	/* from 1; 0: not kept, so valid until the next name_of() */
	bool written;		/* for the format: the file has it already */
	uint64_t hash;		/* of the text as the script printed it */
	size_t size;
	const char *text;	/* NUL-terminated */
	size_t json_size;
	const char *json;	/* the text in quotes, escaped */
	struct name *next;	/* in its chain */
	size_t key_size;
	const char *key;
};

struct names {
	struct name **chains;
	uint32_t count;
	struct name passing;	/* the one with number 0 */
};

void names_open(struct names *n);
void names_close(struct names *n);
struct name *name_of(struct names *n, const char *text, size_t size);
/* All that are kept, by number; the caller frees the array. */
const struct name **names_by_number(const struct names *n);
uint64_t name_hash(uint64_t seed, const char *text, size_t size);

#endif
