/* SPDX-License-Identifier: GPL-2.0-or-later */
/* libFuzzer: any bytes as the names that a program gives to code it has made, a map (first byte 0) or a dump: those
 * that are kept do not overlap, and are found at their places. More seeds: the files of node --perf-basic-prof and
 * --perf-prof, after a byte.
 *
 * sources: runtime/core/unwind.c runtime/staging/common/*.c
 * sources: runtime/staging/images/{jitdump,made_names,perf_map,tables}.c
 * seeds: printf '\0001000 20 f\n1010 20 g\n' >map; printf '\001DTiJ\001\0\0\0\050\0\0\0' >dump
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/unwind.h"
#include "images/jitdump.h"
#include "images/perf_map.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look_up(const struct made_names *names, const struct tap_image *image)
{
	for (size_t i = 0; i < names->count; i++) {
		const struct tables_symbol *s = &names->items[i];
		const struct tap_image_symbol *found = tap_image_symbol(image, s->at + s->size - 1);

		if (!found || found->at != s->at || found->size != s->size || strchr(s->name, '\033') ||
		    (i && s->at < s[-1].at + s[-1].size))
			abort();
		tap_image_line(image, s->at);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* Both ends of the addresses that there are, so that tests of ranges meet them. */
	static const u64 windows[] = { 0, 0x7f0000000000, UINT64_MAX << 32 };

	for (size_t i = 0; size && i < sizeof(windows) / sizeof(*windows); i++) {
		struct made_names names = { .window = windows[i] };
		char *text = calloc(1, size - (*data && size > 1));	/* a map ends with a NUL */
		struct tap_image image;
		struct tables tables;
		size_t packed_size;
		void *packed;

		memcpy(text, data + 1, size - 1);
		tables_init(&tables, "fuzz");
		if (*data)
			jitdump_read(text, size - 1, true, &names, &tables);
		else
			perf_map_read(text, size - 1, &names);
		for (size_t n = 0; n < names.count; n++)
			tables_symbol(&tables, &names.items[n]);
		packed = tables_pack(&tables, &packed_size);
		if (!tap_image_open(&image, packed, packed_size))
			abort();
		look_up(&names, &image);
		free(packed);
		tables_free(&tables);
		made_names_free(&names);
		free(text);
	}
	return 0;
}
