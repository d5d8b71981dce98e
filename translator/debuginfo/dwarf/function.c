/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions by name or file: their entries, inlined copies, lines and labels. The names (names.h) list
 * the functions and their addresses: for a name that can only be in one unit, only the names of this unit
 * are read, without an index of the whole file. Lines and labels are read from the units concerned. */
#include <stdlib.h>
#include <string.h>

#include "dwarf.h"
#include "names.h"
#include "base/util.h"
#include "function.h"
#include "names_layout.h"
#include "debuginfo/symbols/symbols.h"

enum { DEEPEST_SCOPE = 128 };

struct search {
	struct debuginfo *d;
	struct dwarf_file *f;
	const struct dwarf_wanted *w;
	debug_places *out;
	const struct dwarf_names *x;
	struct dwarf_names *own;	/* X, if it covers some units only */
	uint8_t *file_fits;		/* by the offset of a file's name: 1 it matches, 2 it does not */
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

/* ---- choosing the names ---- */

/* A global function can only be inlined in its own unit, but a static function's name may be in any unit. */
static struct dwarf_names *names_of_unit(struct search *s)
{
	VEC(uint64_t) addresses = { 0 };
	struct symbols found = { 0 };

	if (is_glob(s->w->pattern) || s->w->file ||
	    debuginfo_functions(s->d, s->w->pattern, &found) != DEBUGINFO_FOUND)
		return NULL;
	vec_each (symbol, &found.list) {
		uint64_t *address = vec_add(s->d->arena, &addresses);

		if (!(symbol->flags & SYMBOL_GLOBAL) ||
		    !dwarf_address(s->f, symbol->section, symbol->offset, address))
			return NULL;
	}
	return dwarf_names_at(s->d, addresses.items, addresses.n);
}

static bool choose_names(struct search *s)
{
	size_t from, to;

	s->x = s->own = names_of_unit(s);
	if (s->own) {
		names_range(s->own, s->w->pattern, &from, &to);
		if (from < to)
			return true;
		dwarf_names_free(s->own);	/* possibly written in assembly */
		s->own = NULL;
	}
	s->x = dwarf_names_all(s->d);
	return s->x != NULL;
}

static bool fits(struct search *s, const struct names_function *f)
{
	const char *file = names_text(s->x, f->file);

	if (is_glob(s->w->pattern) && !glob_match(s->w->pattern, names_text(s->x, f->name)))
		return false;
	if (!s->w->file)
		return true;
	if (!s->file_fits)
		s->file_fits = xcalloc(names_texts_size(s->x), 1);
	if (!s->file_fits[f->file])
		s->file_fits[f->file] = dwarf_is_file(s->w->file, file) ? 1 : 2;
	return s->file_fits[f->file] == 1;
}

/* ---- entries ---- */

static struct debug_place *add_place(struct search *s, const struct names_function *f, uint64_t at,
				     uint32_t outer, uint64_t die)
{
	struct debug_place p = { .image = s->d, .id = die };

	if (!dwarf_offset(s->f, at, &p.section, &p.offset))
		return NULL;
	p.function = arena_strdup(s->d->arena, names_text(s->x, f->name));
	if (outer)
		p.caller = arena_strdup(s->d->arena,
					names_text(s->x, s->x->functions[outer - 1].name));
	if (f->file)
		p.file = arena_strdup(s->d->arena, names_text(s->x, f->file));
	p.line = f->line;
	p.entry = p.offset;
	if (debuginfo_symbol_at(s->d, p.section, p.offset, &p.symbol) == DEBUGINFO_FOUND)
		p.entry = p.symbol.offset;	/* the out-of-line function begins at its symbol */
	*vec_add(s->d->arena, s->out) = p;
	return &s->out->items[s->out->n - 1];
}

static bool is_part(const struct symbol *symbol)
{
	return symbol->name && (symbol->clone == CLONE_PART || symbol->clone == CLONE_COLD);
}

static void add_entry(struct search *s, const struct names_function *f, const struct names_copy *c)
{
	struct debug_place *p = add_place(s, f, c->address, 0, c->die);

	if (!p)
		return;
	p->at_entry = true;
	if (is_part(&p->symbol)) {
		s->out->n--;
		return;
	}
	if (s->w->kinds & PLACE_CALL && s->w->kinds & PLACE_RETURN)
		*vec_add(s->d->arena, s->out) = *p;
	if (s->w->kinds & PLACE_RETURN) {
		p = &s->out->items[s->out->n - 1];
		p->at_entry = false;
		p->at_return = true;
	}
}

static void add_copies(struct search *s, const struct names_function *f)
{
	const struct names_copy *c = s->x->copies + f->first_copy, *end = c + f->copy_count;
	size_t before = s->out->n;

	for (; c < end; c++) {
		struct debug_place *p;

		if (!c->outer && s->w->kinds & (PLACE_CALL | PLACE_RETURN))
			add_entry(s, f, c);
		if (!c->outer || !(s->w->kinds & PLACE_INLINE) ||
		    (s->w->kinds & PLACE_ONCE && s->out->n > before))
			continue;
		p = add_place(s, f, c->address, c->outer, c->die);
		if (p)
			p->at_entry = true;
	}
}

/* Add source locations and scopes to entries that come from the symbol table. */
static void complete(struct search *s, size_t end)
{
	for (size_t i = s->w->known; i < end; i++) {
		struct debug_place *p = &s->out->items[i];
		const struct names_function *f;
		const struct names_copy *c;
		uint64_t address;

		if (!dwarf_address(s->f, p->section, p->entry, &address))
			continue;
		c = names_at(s->x, address);
		if (!c || c->address != address)
			continue;
		f = &s->x->functions[c->function];
		p->id = c->die;
		p->line = f->line;
		if (f->file)
			p->file = arena_strdup(s->d->arena, names_text(s->x, f->file));
	}
}

/* ---- the function of a line ---- */

struct line {
	Dwarf_Addr address;
	const char *file;
	int number;
	bool is_statement;		/* a statement begins here */
	bool has_scope;			/* a scope was searched for */
	const char *function, *caller;	/* NULL: not found */
	int declared;
	uint64_t die;
};

/* An address may be the first one of several functions that are inlined into each other, each of
 * which has a line there. A line belongs to the last function in its file that begins before it. */
static void offer_scope(struct search *s, struct line *l, Dwarf_Die *scope, Dwarf_Die *outer)
{
	const char *file = dwarf_file_of(scope);
	int declared;

	if (!file || !str_equal(file, l->file) || dwarf_decl_line(scope, &declared) || declared > l->number ||
	    declared < l->declared)
		return;
	l->declared = declared;
	l->function = dwarf_diename(scope);
	l->caller = scope->addr == outer->addr ? NULL : dwarf_diename(outer);
	l->die = dwarf_id(s->f, scope);
}

static bool descend(struct search *s, struct line *l, Dwarf_Die *outer)
{
	Dwarf_Die at = *outer, child;

	if (dwarf_haspc(outer, l->address) <= 0)
		return false;
	offer_scope(s, l, outer, outer);
	for (int depth = 0; depth < DEEPEST_SCOPE && dwarf_child(&at, &child) == 0; depth++) {
		bool found = false;

		do {
			int tag = dwarf_tag(&child);

			found = (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block) &&
				dwarf_haspc(&child, l->address) > 0;
		} while (!found && dwarf_siblingof(&child, &child) == 0);
		if (!found)
			break;
		at = child;
		if (dwarf_tag(&at) == DW_TAG_inlined_subroutine)
			offer_scope(s, l, &at, outer);
	}
	return true;
}

static void find_scope(struct search *s, Dwarf_Die *unit, struct line *l)
{
	const struct names_copy *c = names_at(s->x, l->address);
	Dwarf_Die outer, *scopes = NULL;
	bool found = false;
	int n;

	if (l->has_scope)
		return;
	l->has_scope = true;
	if (c && dwarf_die(s->f, c->die, &outer) && descend(s, l, &outer))
		return;
	/* the part of a function that was moved elsewhere */
	n = dwarf_getscopes(unit, l->address, &scopes);
	for (int i = 0; i < n && !found; i++)
		found = dwarf_tag(&scopes[i]) == DW_TAG_subprogram && descend(s, l, &scopes[i]);
	free(scopes);
}

/* ---- lines ---- */

struct unit_lines {
	Dwarf_Off unit;
	Dwarf_Die die;
	VEC(struct line) list;
};

struct line_search {
	struct search *s;
	VEC(struct unit_lines) units;
};

static int compare_lines(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return x->address < y->address ? -1 : x->address > y->address;
}

/* A line's statements begin at its rows that are marked so. An optimized line may only have other rows, where
 * some of its code was moved to. */
static void keep_statements(struct unit_lines *u)
{
	struct line *l = u->list.items;
	size_t kept = 0, next;

	for (size_t first = 0; first < u->list.n; first = next) {
		bool any = false;

		for (next = first; next < u->list.n && l[next].number == l[first].number; next++)
			any |= l[next].is_statement;
		for (size_t i = first; i < next; i++)
			if (l[i].is_statement || !any)
				l[kept++] = l[i];
	}
	u->list.n = kept;
}

/* Read the lines that can be probed. */
static void read_lines(struct search *s, const char *file, struct unit_lines *u)
{
	const char *last_file = NULL;
	bool last_fits = false;
	Dwarf_Lines *lines;
	size_t n;

	if (dwarf_getsrclines(&u->die, &lines, &n))
		return;
	for (size_t i = 0; i < n; i++) {
		Dwarf_Line *l = dwarf_onesrcline(lines, i);
		const char *source = dwarf_linesrc(l, NULL, NULL);
		bool is_end;
		struct line line = { .file = source };

		if (dwarf_linebeginstatement(l, &line.is_statement) ||
		    dwarf_lineendsequence(l, &is_end) || is_end || dwarf_lineno(l, &line.number) ||
		    dwarf_lineaddr(l, &line.address) || !line.number || !source)
			continue;
		if (source != last_file) {
			last_file = source;
			last_fits = dwarf_is_file(file, source);
		}
		if (last_fits)
			*vec_add(s->d->arena, &u->list) = line;
	}
	if (u->list.n)
		qsort(u->list.items, u->list.n, sizeof(*u->list.items), compare_lines);
	keep_statements(u);
}

/* Searched from the end: there are some dozens of units, or, for lines in headers, the last one used is close. */
static struct unit_lines *unit_lines(struct line_search *ls, const char *file, Dwarf_Off function)
{
	Dwarf_Die die, unit;
	struct unit_lines *u;
	Dwarf_Off offset;

	if (!dwarf_die(ls->s->f, function, &die) || !dwarf_diecu(&die, &unit, NULL, NULL))
		return NULL;
	offset = dwarf_id(ls->s->f, &unit);
	for (size_t i = ls->units.n; i-- > 0;)
		if (ls->units.items[i].unit == offset)
			return &ls->units.items[i];
	u = vec_add(ls->s->d->arena, &ls->units);
	u->unit = offset;
	u->die = unit;
	read_lines(ls->s, file, u);
	return u;
}

static void add_line(struct search *s, const struct names_function *f, const struct line *l, size_t before)
{
	struct debug_place *p;
	const char *section;
	int64_t offset;

	for (size_t i = before; i < s->out->n; i++) {
		p = &s->out->items[i];
		if (p->line != (unsigned)l->number || p->id != l->die)
			continue;
		/* for one line in one copy, use the lowest address */
		if (dwarf_offset(s->f, l->address, &section, &offset) && offset < p->offset)
			p->offset = offset;
		return;
	}
	p = add_place(s, f, l->address, 0, l->die);
	if (!p)
		return;
	p->caller = l->caller;
	p->line = (unsigned)l->number;
}

static void add_lines_of_unit(struct search *s, struct unit_lines *u, const struct names_function *f)
{
	const char *name = names_text(s->x, f->name);
	long first = s->w->first, last = s->w->last;
	size_t before = s->out->n;

	if (s->w->relative) {
		first += f->line;
		last += f->line;
	}
	if (first < (long)f->line)
		first = f->line;
	vec_each (l, &u->list) {
		if (l->number < first || (!s->w->nearest && l->number > last) ||
		    (s->w->nearest && !l->is_statement))
			continue;
		find_scope(s, &u->die, l);
		if (l->function && l->declared == (int)f->line && str_equal(l->function, name))
			add_line(s, f, l, before);
	}
}

static void add_lines(struct line_search *ls, const struct names_function *f)
{
	struct search *s = ls->s;
	const char *file = s->w->file ? s->w->file : names_text(s->x, f->file);
	struct unit_lines *last = NULL;
	VEC(Dwarf_Off) done = { 0 };

	if (!file || (!s->w->relative && !s->w->nearest && f->line > s->w->last))
		return;
	for (uint32_t i = 0; i < f->copy_count; i++) {
		struct unit_lines *u = unit_lines(ls, file, s->x->copies[f->first_copy + i].die);
		bool is_done = !u || u == last;

		for (size_t j = 0; j < done.n && !is_done; j++)
			is_done = done.items[j] == u->unit;
		if (is_done)
			continue;
		*vec_add(s->d->arena, &done) = u->unit;
		last = u;
		add_lines_of_unit(s, u, f);
	}
}

/* Keep only the first line with code. */
static void keep_nearest(debug_places *out, size_t before)
{
	unsigned nearest = ~0u;
	size_t n = before;

	for (size_t i = before; i < out->n; i++)
		if (out->items[i].line < nearest)
			nearest = out->items[i].line;
	for (size_t i = before; i < out->n; i++)
		if (out->items[i].line == nearest)
			out->items[n++] = out->items[i];
	out->n = n;
}

/* ---- labels ---- */

static void add_labels(struct search *s, const struct names_function *f, const struct names_copy *c,
		       Dwarf_Die *scope, int depth)
{
	Dwarf_Die die;
	Dwarf_Addr at;

	if (depth > DEEPEST_SCOPE || dwarf_child(scope, &die))
		return;
	do {
		const char *name = dwarf_tag(&die) == DW_TAG_label ? dwarf_diename(&die) : NULL;
		struct debug_place *p;
		int line = 0;

		if (dwarf_tag(&die) == DW_TAG_lexical_block)
			add_labels(s, f, c, &die, depth + 1);
		if (!name || !glob_match(s->w->label, name) || !dwarf_entry_of(&die, &at))
			continue;
		p = add_place(s, f, at, c->outer, c->die);
		if (!p)
			continue;
		dwarf_decl_line(&die, &line);
		p->line = line ? (unsigned)line : p->line;
		p->label = name;
	} while (dwarf_siblingof(&die, &die) == 0);
}

static void add_labels_of_copies(struct search *s, const struct names_function *f)
{
	for (uint32_t i = 0; i < f->copy_count; i++) {
		const struct names_copy *c = &s->x->copies[f->first_copy + i];
		Dwarf_Die die;

		if (dwarf_die(s->f, c->die, &die))
			add_labels(s, f, c, &die, 0);
	}
}

/* ---- all places ---- */

static void add_all(struct search *s)
{
	struct line_search ls = { .s = s };
	size_t before = s->out->n, from, to;

	if (s->w->known < before)
		complete(s, before);
	names_range(s->x, s->w->pattern, &from, &to);
	for (size_t i = from; i < to; i++) {
		const struct names_function *f = &s->x->functions[i];

		if (!fits(s, f))
			continue;
		if (s->w->has_lines)
			add_lines(&ls, f);
		else if (s->w->label)
			add_labels_of_copies(s, f);
		else
			add_copies(s, f);
	}
	if (s->w->nearest)
		keep_nearest(s->out, before);
}

enum debuginfo_answer dwarf_places(struct debuginfo *d, const struct dwarf_wanted *w, debug_places *out,
				   const char **reason)
{
	struct search s = { .d = d, .w = w, .out = out };
	enum debuginfo_answer opened = dwarf_open(d, reason);
	size_t before = out->n;
	bool is_damaged;

	if (opened != DEBUGINFO_FOUND)
		return opened;
	s.f = d->dwarf;
	*reason = arena_printf(d->arena, "%s cannot be read", s.f->path);
	if (!choose_names(&s))
		return DEBUGINFO_BROKEN;
	add_all(&s);
	is_damaged = s.x->is_damaged;
	dwarf_names_free(s.own);
	free(s.file_fits);
	if (out->n > before)
		return DEBUGINFO_FOUND;
	*reason = arena_printf(d->arena, "there is no such place in '%s'%s%s%s", w->pattern,
			       w->file ? " of " : "", w->file ? w->file : "",
			       is_damaged ? " (a part of the file is damaged)" : "");
	return is_damaged ? DEBUGINFO_BROKEN : DEBUGINFO_ABSENT;
}
