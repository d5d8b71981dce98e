/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ELF symbol tables of programs, of modules, and of a kernel with debug information.
 *
 * Places in a module are offsets in sections. Its ftrace sites and its blacklist are sections of
 * relocations: each refers to a place by a symbol (often that of the section) and an addend. */
#include "elf.h"

#include <elf.h>
#include <string.h>

#include "arch/arch.h"
#include "symtab.h"
#include "staging/common/elf_wide.h"
#include "base/util.h"

struct elf_table {
	const struct image *image;
	struct bytes symbols, strings;
	size_t count;
};

static bool find_table(const struct image *image, const char *name, struct elf_table *t)
{
	const struct image_section *s = image_section(image, name);

	*t = (struct elf_table){ .image = image };
	if (!s || (s->type != SHT_SYMTAB && s->type != SHT_DYNSYM) || s->link >= image->section_count)
		return false;
	t->symbols = s->bytes;
	t->strings = image->sections[s->link].bytes;
	t->count = s->bytes.size / ELF_WIDE_SIZE(Sym, image->is_narrow);
	return t->count > 1;
}

static Elf64_Sym symbol_at(const struct elf_table *t, size_t i)
{
	bool narrow = t->image->is_narrow;

	return elf_wide_symbol(t->symbols.data + i * ELF_WIDE_SIZE(Sym, narrow), narrow);
}

/* "" if the name is damaged or missing. */
static const char *symbol_name(const struct elf_table *t, const Elf64_Sym *s, size_t *length)
{
	const uint8_t *name = t->strings.data + s->st_name, *end;

	*length = 0;
	if (s->st_name >= t->strings.size)
		return "";
	end = memchr(name, '\0', t->strings.size - s->st_name);
	if (!end || end - name >= SYMBOL_NAME_LONGEST)
		return "";
	*length = (size_t)(end - name);
	return (const char *)name;
}

/* Excludes arm64's mapping symbols, local labels, and the symbols that kallsyms also leaves out. */
static bool is_wanted(const Elf64_Sym *s, const char *name)
{
	int type = ELF64_ST_TYPE(s->st_info);

	return *name && (type == STT_FUNC || type == STT_OBJECT || type == STT_NOTYPE ||
			 type == STT_GNU_IFUNC) &&
	       s->st_shndx != SHN_UNDEF && s->st_shndx != SHN_ABS && !str_starts(name, "$") &&
	       !str_starts(name, ".L");
}

/* The letter that nm prints, as far as symtab.c needs it. */
static char letter_of(const Elf64_Sym *s, const struct image_section *section)
{
	bool is_code = section && (section->flags & SHF_EXECINSTR);
	int bind = ELF64_ST_BIND(s->st_info);

	if (!section)
		return 'A';
	if (bind == STB_WEAK)
		return ELF64_ST_TYPE(s->st_info) == STT_OBJECT ? 'V' : 'W';
	return bind == STB_LOCAL ? (is_code ? 't' : 'd') : (is_code ? 'T' : 'D');
}

static const struct image_section *section_of(const struct image *image, const Elf64_Sym *s)
{
	const struct image_section *section;

	if (s->st_shndx >= SHN_LORESERVE || s->st_shndx >= image->section_count)
		return NULL;
	section = &image->sections[s->st_shndx];
	return section->flags & SHF_ALLOC ? section : NULL;
}

enum debuginfo_answer elf_symbols(const struct image *image, struct symbol_list *l,
				  const char **reason)
{
	struct elf_table t;

	if (!find_table(image, ".symtab", &t)) {
		*reason = arena_printf(l->arena, "%s: it has no symbol table", image->path);
		return DEBUGINFO_ABSENT;
	}
	for (size_t i = 1; i < t.count; i++) {
		Elf64_Sym s = symbol_at(&t, i);
		size_t length;
		const char *name = symbol_name(&t, &s, &length);

		if (is_wanted(&s, name))
			symbol_list_add(l, name, length, s.st_value,
					letter_of(&s, section_of(image, &s)))->size = s.st_size;
	}
	return DEBUGINFO_FOUND;
}

/* ---- programs ---- */

/* Symbols of other files and thread-local symbols do not have a place in this file. */
static bool is_in_program(const Elf64_Sym *s)
{
	int type = ELF64_ST_TYPE(s->st_info);

	return s->st_shndx != SHN_UNDEF && s->st_shndx != SHN_ABS &&
	       (type == STT_FUNC || type == STT_OBJECT || type == STT_NOTYPE || type == STT_GNU_IFUNC);
}

bool elf_program_symbols(const struct image *image, const char *table, struct symbol_list *l)
{
	struct elf_table t;

	if (!find_table(image, table, &t))
		return false;
	for (size_t i = 1; i < t.count; i++) {
		Elf64_Sym s = symbol_at(&t, i);
		const struct image_section *section = section_of(image, &s);
		bool is_code = section && section->flags & SHF_EXECINSTR;
		size_t length;
		const char *name = symbol_name(&t, &s, &length), *version;
		struct raw_symbol *raw;

		if (!section || !is_in_program(&s) || !is_wanted(&s, name))
			continue;
		/* "pthread_create@@GLIBC_2.34": linkers append versions in .symtab */
		version = memchr(name, '@', length);
		if (version && version > name)
			length = (size_t)(version - name);
		raw = symbol_list_add(l, name, length, s.st_value, 0);
		raw->size = s.st_size;
		raw->flags = is_code ? SYMBOL_FUNCTION : SYMBOL_DATA;
		raw->obstacle = is_code ? OBSTACLE_NONE : OBSTACLE_DATA;
		if (ELF64_ST_BIND(s.st_info) != STB_LOCAL)
			raw->flags |= SYMBOL_GLOBAL;
		if (ELF64_ST_BIND(s.st_info) == STB_WEAK)
			raw->flags |= SYMBOL_WEAK;
		if (ELF64_ST_TYPE(s.st_info) == STT_GNU_IFUNC)
			raw->flags |= SYMBOL_CHOOSER;
	}
	return true;
}

bool elf_thread_offset(const struct image *image, const char *name, uint64_t *offset)
{
	size_t length, found = 0;
	struct elf_table t;

	if (!find_table(image, ".symtab", &t))
		return false;
	for (size_t i = 1; i < t.count; i++) {
		Elf64_Sym s = symbol_at(&t, i);

		if (ELF64_ST_TYPE(s.st_info) != STT_TLS || s.st_shndx == SHN_UNDEF ||
		    !str_equal(symbol_name(&t, &s, &length), name))
			continue;
		*offset = s.st_value;
		found++;
	}
	return found == 1;
}

/* ---- modules ---- */

enum { NO_SECTION = 0xffff };

/* Number the sections that a module keeps in memory: code first, then data, as many as fit. */
static uint16_t *number_sections(const struct image *image, struct symbol_list *l)
{
	uint16_t *numbers = arena_array(l->arena, uint16_t, image->section_count + 1);

	memset(numbers, 0xff, image->section_count * sizeof(*numbers));
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < image->section_count; i++) {
			const struct image_section *s = &image->sections[i];
			uint64_t want = pass ? 0 : SHF_EXECINSTR;

			if (!(s->flags & SHF_ALLOC) || (s->flags & SHF_EXECINSTR) != want ||
			    l->section_count == SYMBOL_SECTIONS)
				continue;
			numbers[i] = (uint16_t)l->section_count;
			l->sections[l->section_count++] = s->name;
		}
	return numbers;
}

static enum symbol_obstacle section_obstacle(const struct image_section *s)
{
	if (!(s->flags & SHF_EXECINSTR))
		return OBSTACLE_DATA;
	if (str_starts(s->name, ".init.text"))
		return OBSTACLE_INIT;
	if (str_starts(s->name, ".noinstr.text"))
		return OBSTACLE_NOINSTR;
	return str_equal(s->name, ".kprobes.text") ? OBSTACLE_KPROBES : OBSTACLE_NONE;
}

static uint16_t symbol_flags_of(const Elf64_Sym *s, const struct image_section *section)
{
	uint16_t flags = section->flags & SHF_EXECINSTR ? SYMBOL_FUNCTION : SYMBOL_DATA;

	if (str_equal(section->name, ".data..percpu"))
		flags |= SYMBOL_PERCPU;
	if (ELF64_ST_BIND(s->st_info) != STB_LOCAL)
		flags |= SYMBOL_GLOBAL;
	if (ELF64_ST_BIND(s->st_info) == STB_WEAK)
		flags |= SYMBOL_WEAK;
	return flags;
}

static void add_module_symbols(const struct elf_table *t, const uint16_t *numbers,
			       struct symbol_list *l)
{
	for (size_t i = 1; i < t->count; i++) {
		Elf64_Sym s = symbol_at(t, i);
		const struct image_section *section = section_of(t->image, &s);
		size_t length;
		const char *name = symbol_name(t, &s, &length);
		struct raw_symbol *raw;

		if (!section || numbers[s.st_shndx] == NO_SECTION || s.st_value > section->size ||
		    section->size > UINT32_MAX || !is_wanted(&s, name))
			continue;
		raw = symbol_list_add(l, name, length, SECTION_PLACE(numbers[s.st_shndx], s.st_value), 0);
		raw->size = s.st_size;
		raw->flags = symbol_flags_of(&s, section);
		raw->obstacle = section_obstacle(section);
	}
}

/* The places that the relocations of section NAME refer to. */
static uint64_t *read_places(const struct elf_table *t, const uint16_t *numbers, const char *name,
			     struct symbol_list *l, size_t *n)
{
	const struct image_section *r = image_section(t->image,
						      arena_printf(l->arena, ".rela%s", name));
	size_t count = r && r->type == SHT_RELA ? r->bytes.size / sizeof(Elf64_Rela) : 0;
	uint64_t *places = arena_array(l->arena, uint64_t, count + 1);

	*n = 0;
	for (size_t i = 0; i < count; i++) {
		Elf64_Rela rela;
		Elf64_Sym s;
		uint64_t offset;

		memcpy(&rela, r->bytes.data + i * sizeof(rela), sizeof(rela));
		if (ELF64_R_SYM(rela.r_info) >= t->count)
			continue;
		s = symbol_at(t, ELF64_R_SYM(rela.r_info));
		offset = s.st_value + (uint64_t)rela.r_addend;
		if (section_of(t->image, &s) && numbers[s.st_shndx] != NO_SECTION &&
		    offset <= UINT32_MAX)
			places[(*n)++] = SECTION_PLACE(numbers[s.st_shndx], offset);
	}
	return places;
}

static void mark_places(const struct elf_table *t, const uint16_t *numbers, struct symbol_list *l,
			const struct arch *arch)
{
	static const char *const tables[] = { "__mcount_loc", "__patchable_function_entries" };
	uint64_t *places;
	size_t n;

	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		places = read_places(t, numbers, tables[i], l, &n);
		symtab_mark_sites(l, places, n, arch);
	}
	places = read_places(t, numbers, "_kprobe_blacklist", l, &n);
	for (size_t i = 0; i < n; i++)
		symtab_mark_listed(l, places[i], places[i]);
	l->blacklist = true;
}

enum debuginfo_answer elf_module_symbols(const struct image *image, const struct arch *arch, struct symbol_list *l,
					 const char **reason)
{
	const uint8_t *id = NULL;
	struct elf_table t;
	uint16_t *numbers;
	size_t n;

	if (!image->is_relocatable || !find_table(image, ".symtab", &t)) {
		*reason = arena_printf(l->arena, "%s: %s", image->path, image->is_relocatable ?
				       "it has no symbol table" : "it is not a kernel module");
		return image->is_relocatable ? DEBUGINFO_ABSENT : DEBUGINFO_BROKEN;
	}
	numbers = number_sections(image, l);
	if (!l->section_count) {
		*reason = arena_printf(l->arena, "%s: it has no code", image->path);
		return DEBUGINFO_BROKEN;
	}
	add_module_symbols(&t, numbers, l);
	symtab_classify_module(l);
	mark_places(&t, numbers, l, arch);
	n = image_build_id(image, &id);
	symbol_list_build_id(l, id, n);
	return DEBUGINFO_FOUND;
}
