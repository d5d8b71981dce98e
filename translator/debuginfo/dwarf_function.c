/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions by name or file: their entries, inlined copies, lines and labels. For one name only those
 * units are walked in whose bytes a reference to that name occurs, which is found as fast as memory can
 * be read; a wildcard walks all. */
#include <stdlib.h>
#include <string.h>

#include "debuginfo/dwarf.h"
#include "util.h"

enum { DEEPEST_SCOPE = 128 };

struct walk {
	struct debuginfo *d;
	struct dwarf_file *f;
	const struct dwarf_wanted *w;
	debug_places *out;
	Dwarf_Die *unit;
	const char *outer;		/* the out-of-line function that we are in */
};

/* One copy of a function: out-of-line, or where it is inlined. */
struct copy {
	Dwarf_Die *die;
	const char *name, *file;
	int line;			/* declared in */
	bool is_inlined;
};

bool dwarf_is_file(const char *pattern, const char *path)
{
	if (!path)
		return false;
	for (const char *p = path; p; p = strchr(p, '/')) {
		p += *p == '/';
		if (glob_match(pattern, p))
			return true;
	}
	return glob_match(pattern, path);
}

static bool entry_of(Dwarf_Die *die, Dwarf_Addr *entry)
{
	Dwarf_Addr base, end;

	if (dwarf_entrypc(die, entry) == 0)
		return true;
	return dwarf_ranges(die, 0, &base, entry, &end) > 0;
}

static void add_place(struct walk *k, const struct copy *c, Dwarf_Addr at, Dwarf_Addr entry,
		      const char *file, int line)
{
	struct debug_place p = { .image = k->d, .function = c->name, .file = file, .line = (unsigned)line,
				 .caller = c->is_inlined ? k->outer : NULL, .backend = &dwarf_backend };
	const char *section;

	if (!dwarf_offset(k->f, at, &p.section, &p.offset) || !dwarf_offset(k->f, entry, &section, &p.entry))
		return;
	p.id = dwarf_id(k->f, c->die);
	if (debuginfo_symbol_at(k->d, p.section, p.offset, &p.symbol) == DEBUGINFO_FOUND) {
		/* The out-of-line function begins where its symbol does. */
		p.entry = p.symbol.offset;
	}
	p.at_entry = at == entry && !k->w->has_lines && !k->w->label;
	if (p.at_entry && k->w->kinds & PLACE_RETURN && !c->is_inlined) {
		struct debug_place r = p;

		r.at_entry = false;
		r.at_return = true;
		*vec_add(k->d->arena, k->out) = r;
	}
	if (k->w->has_lines || k->w->label || k->w->kinds & (c->is_inlined ? PLACE_INLINE : PLACE_CALL))
		*vec_add(k->d->arena, k->out) = p;
}

/* ---- lines ---- */

/* Line number I of the table when it is one of FILE's in C, and may be probed. */
static bool line_in(const struct copy *c, const char *file, Dwarf_Lines *lines, size_t i, int *number,
		    Dwarf_Addr *at)
{
	Dwarf_Line *l = dwarf_onesrcline(lines, i);
	bool is_statement, is_end;
	const char *source;

	if (dwarf_linebeginstatement(l, &is_statement) || !is_statement || dwarf_lineendsequence(l, &is_end) ||
	    is_end || dwarf_lineno(l, number) || dwarf_lineaddr(l, at) || !*number)
		return false;
	/* Lines before its own are of what is inlined into it. */
	if (*number < c->line || dwarf_haspc(c->die, *at) <= 0)
		return false;
	source = dwarf_linesrc(l, NULL, NULL);
	return source && dwarf_is_file(file, source);
}

static int nearest_line(const struct copy *c, const char *file, Dwarf_Lines *lines, size_t n, int first)
{
	int nearest = 0, number;
	Dwarf_Addr at;

	for (size_t i = 0; i < n; i++)
		if (line_in(c, file, lines, i, &number, &at) && number >= first &&
		    (!nearest || number < nearest))
			nearest = number;
	return nearest;
}

/* The lowest address of each line in this copy. */
static void add_lines(struct walk *k, const struct copy *c)
{
	const char *file = k->w->file ? k->w->file : c->file;
	int first = (int)k->w->first, last = (int)k->w->last, number;
	size_t n, before = k->out->n;
	Dwarf_Lines *lines;
	Dwarf_Addr at, entry;

	if (!file || !entry_of(c->die, &entry) || dwarf_getsrclines(k->unit, &lines, &n))
		return;
	if (k->w->relative) {
		first += c->line;
		last = last > INT32_MAX - c->line ? INT32_MAX : last + c->line;
	}
	if (k->w->nearest)
		first = last = nearest_line(c, file, lines, n, first);
	for (size_t i = 0; i < n; i++) {
		struct debug_place *same = NULL;
		const char *section;
		int64_t offset;

		if (!line_in(c, file, lines, i, &number, &at) || number < first || number > last)
			continue;
		for (size_t j = before; j < k->out->n && !same; j++)
			if (k->out->items[j].line == (unsigned)number)
				same = &k->out->items[j];
		if (!same)
			add_place(k, c, at, entry, c->file, number);
		else if (dwarf_offset(k->f, at, &section, &offset) && offset < same->offset)
			same->offset = offset;
	}
}

static void add_labels(struct walk *k, const struct copy *c, Dwarf_Die *scope, int depth)
{
	Dwarf_Die die;
	Dwarf_Addr at, entry;
	size_t before;
	int line = 0;

	if (depth > DEEPEST_SCOPE || dwarf_child(scope, &die))
		return;
	do {
		const char *name = dwarf_tag(&die) == DW_TAG_label ? dwarf_diename(&die) : NULL;

		if (dwarf_tag(&die) == DW_TAG_lexical_block)
			add_labels(k, c, &die, depth + 1);
		if (!name || !glob_match(k->w->label, name) || dwarf_lowpc(&die, &at) ||
		    !entry_of(c->die, &entry))
			continue;
		dwarf_decl_line(&die, &line);
		before = k->out->n;
		add_place(k, c, at, entry, c->file, line);
		if (k->out->n > before)
			k->out->items[before].label = name;
	} while (dwarf_siblingof(&die, &die) == 0);
}

/* ---- copies ---- */

static void look_at(struct walk *k, Dwarf_Die *die, bool is_inlined)
{
	struct copy c = { .die = die, .name = dwarf_diename(die), .is_inlined = is_inlined };
	Dwarf_Addr entry;

	if (!c.name || !glob_match(k->w->pattern, c.name) || !entry_of(die, &entry))
		return;
	c.file = dwarf_file_of(die);
	dwarf_decl_line(die, &c.line);
	if (k->w->file && !k->w->has_lines && !dwarf_is_file(k->w->file, c.file))
		return;
	if (k->w->has_lines) {
		add_lines(k, &c);
	} else if (k->w->label) {
		add_labels(k, &c, die, 0);
	} else {
		add_place(k, &c, entry, entry, c.file, c.line);
	}
}

static bool wants_inlined(const struct dwarf_wanted *w)
{
	return w->has_lines || w->label || w->kinds & PLACE_INLINE;
}

static void walk_scope(struct walk *k, Dwarf_Die *scope, int depth)
{
	Dwarf_Die die;

	if (depth > DEEPEST_SCOPE || dwarf_child(scope, &die))
		return;
	do {
		int tag = dwarf_tag(&die);

		if (tag == DW_TAG_inlined_subroutine)
			look_at(k, &die, true);
		if (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block)
			walk_scope(k, &die, depth + 1);
	} while (dwarf_siblingof(&die, &die) == 0);
}

static void walk_unit(struct walk *k, Dwarf_Die *unit)
{
	Dwarf_Die die;
	Dwarf_Addr entry;

	k->unit = unit;
	if (dwarf_child(unit, &die))
		return;
	do {
		if (dwarf_tag(&die) != DW_TAG_subprogram || !entry_of(&die, &entry))
			continue;
		k->outer = dwarf_diename(&die);
		look_at(k, &die, false);
		if (wants_inlined(k->w))
			walk_scope(k, &die, 0);
	} while (dwarf_siblingof(&die, &die) == 0);
}

/* ---- which units ---- */

static Elf_Data *section_data(Elf *elf, const char *name)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr header;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		const char *this = gelf_getshdr(scn, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;

		if (this && str_equal(this, name))
			return header.sh_flags & SHF_COMPRESSED ? NULL : elf_getdata(scn, NULL);
	}
	return NULL;
}

void dwarf_filter_init(struct dwarf_filter *x, struct debuginfo *d, const char *pattern)
{
	Elf *elf = d->dwarf->elf;
	Elf_Data *strings = section_data(elf, ".debug_str"), *info = section_data(elf, ".debug_info");
	size_t size = strlen(pattern) + 1;

	/* Names by index or in another file are not to be seen so. */
	if (is_glob(pattern) || !strings || !info || !strings->d_buf || !info->d_buf ||
	    section_data(elf, ".debug_str_offsets") || section_data(elf, ".debug_addr") || section_data(elf, ".gnu_debugaltlink"))
		return;
	x->is_usable = true;
	x->name = pattern;
	x->info = info->d_buf;
	x->info_size = info->d_size;
	for (int tails = 0; tails < 2 && !x->offsets.n; tails++)
		for (const char *start = strings->d_buf, *end = start + strings->d_size, *p = start;
		     (p = memmem(p, (size_t)(end - p), pattern, size)); p++)
			if (tails || p == start || !p[-1])
				*vec_add(d->arena, &x->offsets) = (uint32_t)(p - start);
}

bool dwarf_filter_has(const struct dwarf_filter *x, Dwarf_Off from, Dwarf_Off to)
{
	if (!x->is_usable || to > x->info_size || from > to)
		return true;
	if (memmem(x->info + from, to - from, x->name, strlen(x->name) + 1))
		return true;
	vec_each (offset, &x->offsets)
		if (memmem(x->info + from, to - from, offset, sizeof(*offset)))
			return true;
	return false;
}

/* Files that are included may hold functions too. */
static bool unit_has_file(Dwarf_Die *unit, const char *pattern)
{
	Dwarf_Files *files;
	size_t n;

	if (dwarf_getsrcfiles(unit, &files, &n))
		return true;
	for (size_t i = 0; i < n; i++)
		if (dwarf_is_file(pattern, dwarf_filesrc(files, i, NULL, NULL)))
			return true;
	return false;
}

static void walk_units(struct walk *k)
{
	struct dwarf_filter filter = { 0 };
	Dwarf_Off at = 0, next;
	size_t header;
	Dwarf_Half version;
	Dwarf_Die unit;

	dwarf_filter_init(&filter, k->d, k->w->pattern);
	for (; dwarf_next_unit(k->f->dw, at, &next, &header, &version, NULL, NULL, NULL, NULL, NULL) == 0;
	     at = next)
		if (dwarf_filter_has(&filter, at, next) && dwarf_offdie(k->f->dw, at + header, &unit)) {
			dwarf_whole_unit(&unit);
			if (dwarf_tag(&unit) == DW_TAG_compile_unit &&
			    (!k->w->file || unit_has_file(&unit, k->w->file)))
				walk_unit(k, &unit);
		}
}

enum debuginfo_answer dwarf_places(struct debuginfo *d, const struct dwarf_wanted *w, debug_places *out,
				   const char **reason)
{
	struct walk k = { .d = d, .w = w, .out = out };
	enum debuginfo_answer opened = dwarf_open(d, reason);
	size_t before = out->n;

	if (opened != DEBUGINFO_FOUND)
		return opened;
	k.f = d->dwarf;
	walk_units(&k);
	if (out->n > before)
		return DEBUGINFO_FOUND;
	*reason = arena_printf(d->arena, "there is no such place in '%s'%s%s", w->pattern,
			       w->file ? " of " : "", w->file ? w->file : "");
	return DEBUGINFO_ABSENT;
}
