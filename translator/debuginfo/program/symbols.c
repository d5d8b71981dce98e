/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program's symbols: .symtab of the program or of its debug file, or else .gnu_debugdata; and .dynsym. */
#include "symbols.h"
#include "image.h"

#include <string.h>

#include "base/util.h"
#include "debug_file.h"
#include "debuginfo/symbols/elf.h"

/* .gnu_debugdata: an xz-compressed ELF file with the symbols that .dynsym lacks. */
static bool add_packed(struct debuginfo *d, struct symbol_list *l)
{
	const struct image_section *s = image_section(&d->program->image, ".gnu_debugdata");
	struct bytes unpacked;
	struct image image;
	const char *reason;
	bool good;

	if (!s || !s->bytes.size || !unpack(l->arena, &s->bytes, &unpacked, &reason))
		return false;
	if (image_of_bytes(l->arena, ".gnu_debugdata", unpacked, &image, &reason) != DEBUGINFO_FOUND)
		return false;
	good = elf_program_symbols(&image, ".symtab", l);
	image_close(&image);
	return good;
}

static bool add_debug_file(struct debuginfo *d, struct symbol_list *l)
{
	struct image image;
	const char *path, *reason;
	bool good;

	if (program_debug_path(d, &path, &reason) != DEBUGINFO_FOUND || !path ||
	    image_open_program(l->arena, path, &image, &reason) != DEBUGINFO_FOUND)
		return false;
	good = elf_program_symbols(&image, ".symtab", l);
	image_close(&image);
	return good;
}

/* Drop symbols that are in two tables. The list is sorted by address. */
static void drop_doubles(struct symbol_list *l)
{
	size_t to = 0;

	for (size_t i = 0; i < l->symbols.n; i++) {
		const struct raw_symbol *s = &l->symbols.items[i];
		bool is_double = false;

		for (size_t j = to; j-- > 0 && l->symbols.items[j].address == s->address && !is_double;)
			is_double = str_equal(raw_symbol_name(l, &l->symbols.items[j]), raw_symbol_name(l, s));
		if (!is_double)
			l->symbols.items[to++] = *s;
	}
	l->symbols.n = to;
}

enum debuginfo_answer program_symbols(struct debuginfo *d, struct index *x, const char **reason)
{
	enum debuginfo_answer opened = program_open(d, reason);
	struct arena *a;
	struct symbol_list l;
	const uint8_t *id = NULL;
	size_t n;

	if (opened != DEBUGINFO_FOUND)
		return opened;
	a = arena_open();
	symbol_list_init(&l, a);
	l.source = d->path + strlen(d->request.sysroot);
	/* all symbols of .dynsym are also in .symtab */
	if (!elf_program_symbols(&d->program->image, ".symtab", &l) && !add_debug_file(d, &l)) {
		if (!add_packed(d, &l))
			l.lacks = "functions that are not exported";
		elf_program_symbols(&d->program->image, ".dynsym", &l);
	}
	n = image_build_id(&d->program->image, &id);
	symbol_list_build_id(&l, id, n);
	symtab_classify_module(&l);
	drop_doubles(&l);
	if (l.symbols.n)
		index_build(x, &l);
	else
		*reason = arena_printf(d->arena, "%s: it has no symbols", d->path);
	opened = l.symbols.n ? DEBUGINFO_FOUND : DEBUGINFO_ABSENT;
	arena_close(a);
	return opened;
}
