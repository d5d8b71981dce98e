/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names of a file as a single block of memory, both in the cache and in use: the file that they
 * belong to, and the offset of each part. */
#include "names_layout.h"

#include <sys/stat.h>

#include "dwarf.h"
#include "names.h"
#include "base/util.h"

uint64_t names_identity(struct debuginfo *d)
{
	struct dwarf_sections s;
	const uint32_t layout = 4;		/* of the kept data: incremented when it changes */
	uint64_t h = hash_bytes(HASH_START, &layout, sizeof(layout));
	struct stat st;

	dwarf_read_sections(d, &s);
	if (stat(d->dwarf->path, &st) == 0) {
		h = hash_bytes(h, &st.st_size, sizeof(st.st_size));
		h = hash_bytes(h, &st.st_mtim, sizeof(st.st_mtim));
	}
	h = hash_bytes(h, &s.info.size, sizeof(s.info.size));
	h = hash_bytes(h, &s.str.size, sizeof(s.str.size));
	h = hash_bytes(h, &s.abbrev.size, sizeof(s.abbrev.size));
	h = hash_bytes(h, s.info.data, s.info.size < 4096 ? s.info.size : 4096);
	return hash_bytes(h, s.abbrev.data, s.abbrev.size < 4096 ? s.abbrev.size : 4096);
}

size_t names_parts_size(const struct names_header *h)
{
	return sizeof(*h) + h->copy_count * sizeof(struct names_copy) +
	       h->function_count * sizeof(struct names_function) +
	       h->thing_count * sizeof(struct names_thing) + h->out_of_line_count * sizeof(uint32_t);
}

/* The hash ensures that the data is as it was written; check here that it belongs to this file and
 * that indexes are within their arrays. */
bool names_set(struct dwarf_names *x, uint64_t identity)
{
	const struct names_header *h = x->data;

	if (x->size < sizeof(*h) || h->identity != identity || h->size != x->size ||
	    names_parts_size(h) + h->texts_size != x->size || !h->texts_size)
		return false;
	x->header = h;
	/* parts with an alignment of 8 bytes first, then 4, then 1 */
	x->copies = (const void *)(h + 1);
	x->things = (const void *)(x->copies + h->copy_count);
	x->functions = (const void *)(x->things + h->thing_count);
	x->by_address = (const void *)(x->functions + h->function_count);
	x->texts = (const void *)(x->by_address + h->out_of_line_count);
	x->is_damaged = h->is_damaged;
	x->function_count = h->function_count;
	x->copy_count = h->copy_count;
	x->thing_count = h->thing_count;
	x->out_of_line_count = h->out_of_line_count;
	return x->texts[h->texts_size - 1] == '\0';
}

size_t names_texts_size(const struct dwarf_names *x)
{
	return x->header->texts_size;
}
