/* SPDX-License-Identifier: GPL-2.0-or-later */
/* libFuzzer: any bytes as a program's file: the tables made from it are always well formed, and can be followed
 * from any place.
 *
 * sources: runtime/core/unwind.c runtime/staging/common/*.c
 * sources: runtime/staging/images/{binary,frames,lines,symbols,tables,unpack}.c
 * flags: -DHAVE_LZMA -DHAVE_ZSTD
 * seeds: cp "$(gcc -print-file-name=libdl.so.2)" .
 */
#include <stdint.h>
#include <stdlib.h>

#include "core/unwind.h"
#include "images/frames.h"
#include "images/lines.h"
#include "images/symbols.h"
#include "images/unpack.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct memory {
	const uint8_t *data;
	size_t size;
	unsigned reads;
};

/* The contents of memory come from the input, too. */
static bool read_word(void *reader, u64 address, u64 *word)
{
	struct memory *m = reader;

	if (m->size < sizeof(*word) || m->reads++ > 1000)
		return false;
	memcpy(word, m->data + address % (m->size - sizeof(*word) + 1), sizeof(*word));
	return true;
}

static void follow(const struct tap_image *image, const uint8_t *data, size_t size)
{
	for (u32 i = 0; i < image->row_count; i += 1 + image->row_count / 64) {
		struct tap_unwind_state s = { .known = (1u << TAP_UNWIND_REGISTERS) - 1 };
		struct memory m = { data, size, 0 };

		for (u32 n = 0; n < TAP_UNWIND_REGISTERS; n++)
			s.registers[n] = n * 4096;
		s.registers[TAP_UNWIND_RETURN] = image->rows[i];
		for (u32 depth = 0; depth < 8; depth++)
			if (tap_unwind_step(&s, tap_image_rule(image, s.registers[TAP_UNWIND_RETURN]), read_word, &m))
				break;
		tap_image_symbol(image, image->rows[i]);
		tap_image_line(image, image->rows[i]);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tap_image image;
	struct tables tables;
	struct binary b;
	size_t packed_size, unpacked_size;
	void *packed, *unpacked;

	if (tap_image_open(&image, data, size - size % 8))
		for (u32 i = 0; i < image.call_count; i++) {
			const struct tap_image_inlined *n = tap_image_inlined(&image, image.calls[i].at);

			while (n)
				n = tap_image_outer(&image, n);
		}
	if (!binary_open(&b, data, size))
		return 0;
	tables_init(&tables, "fuzz");
	frames_read(&b, &b, &tables);
	symbols_read(&b, &b, &tables);
	lines_read(&b, &b, &tables);
	unpacked = unpack_symbols(&b, &unpacked_size);
	free(unpacked);
	packed = tables_pack(&tables, &packed_size);
	if (!tap_image_open(&image, packed, packed_size))
		abort();
	follow(&image, data, size);
	free(packed);
	tables_free(&tables);
	return 0;
}
