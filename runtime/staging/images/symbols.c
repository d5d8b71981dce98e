// SPDX-License-Identifier: GPL-2.0-or-later
/* Of several names of an address, a global one is chosen, preferably one without leading underscores, which
 * mark internal names: "malloc", not "__libc_malloc". */
#include "symbols.h"

#include <stdlib.h>

#include "common/elf_wide.h"
#include "common/host.h"

enum { MOST_NAME = 4096 };

static u32 rank_of(const Elf64_Sym *s, const char *name)
{
	unsigned binding = ELF64_ST_BIND(s->st_info);
	u32 underscores = name[0] != '_' ? 0 : name[1] != '_' ? 1 : 2, rank = binding != STB_LOCAL;

	rank = 3 * rank + 2 - underscores;
	rank = 2 * rank + (binding != STB_WEAK);
	return 2 * rank + (ELF64_ST_TYPE(s->st_info) != STT_NOTYPE);
}

static bool is_wanted(const Elf64_Sym *s, const char *name)
{
	unsigned type = ELF64_ST_TYPE(s->st_info);

	if (s->st_shndx == SHN_UNDEF || (s->st_shndx >= SHN_LORESERVE && s->st_shndx != SHN_XINDEX) || !*name)
		return false;
	if (type == STT_NOTYPE)		/* labels from assembly, but not the compiler's */
		return name[0] != '.' && name[0] != '$';
	return type == STT_FUNC || type == STT_OBJECT || type == STT_GNU_IFUNC;
}

/* The interpreter of Python: where its data is, and the value of its variable Py_Version (from 3.11 on). */
static void find_python(const struct binary *b, const char *name, uint64_t offset, struct tables *t)
{
	struct bytes version = { b->data, b->data + b->size, false };

	if (!strcmp(name, "_PyRuntime") && !b->narrow && offset <= UINT32_MAX)
		t->python_at = (u32)offset;
	if (!strcmp(name, "Py_Version")) {
		bytes_take(&version, offset);
		t->python_version = (u32)bytes_number(&version, sizeof(u32));
	}
}

static void read_table(const struct binary *b, struct binary_piece table, const struct binary *places,
		       struct tables *t)
{
	size_t size = ELF_WIDE_SIZE(Sym, b->narrow);
	struct binary_piece names;

	if (!binary_section_number(b, table.link, &names))
		return;
	for (; bytes_left(&table.bytes) >= size; table.bytes.at += size) {
		Elf64_Sym s = elf_wide_symbol(table.bytes.at, b->narrow);
		struct bytes text = names.bytes;
		struct tables_symbol symbol;
		uint64_t offset;

		bytes_take(&text, s.st_name);
		symbol.name = bytes_short_text(&text, MOST_NAME);
		if (!tables_work(t, 64 + strlen(symbol.name)))
			return;
		if (text.broken || !is_wanted(&s, symbol.name) || !binary_offset(places, s.st_value, &offset))
			continue;
		find_python(places, symbol.name, offset, t);
		symbol.at = offset;
		symbol.size = s.st_size;
		symbol.rank = rank_of(&s, symbol.name);
		tables_symbol(t, &symbol);
	}
}

void symbols_read(const struct binary *b, const struct binary *places, struct tables *t)
{
	struct binary_piece table;

	if (binary_section_typed(b, SHT_SYMTAB, &table))
		read_table(b, table, places, t);
	if (binary_section_typed(b, SHT_DYNSYM, &table))
		read_table(b, table, places, t);
}
