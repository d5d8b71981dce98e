/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Queries of an image's symbols. The first query reads the table. */
#include "symbols.h"
#include "debuginfo/chain.h"
#include "debuginfo/program/image.h"
#include "base/util.h"
#include "debuginfo/program/name.h"
#include "sources.h"

static enum debuginfo_answer open_symbols(struct debuginfo *d)
{
	if (!d->symbols_opened) {
		d->symbols_opened = true;
		d->symbols_reason = "";
		d->symbols_answer = symbols_open(d, &d->symbols_reason);
		d->index.module = d->module;
	}
	return debuginfo_answered(d, d->symbols_answer, d->symbols_reason);
}

static enum debuginfo_answer match(struct debuginfo *d, const char *pattern, uint32_t flags,
				   const char *kind, struct symbols *found)
{
	enum debuginfo_answer opened = open_symbols(d);
	struct debuginfo_facts facts;

	if (opened != DEBUGINFO_FOUND || index_match(&d->index, d->arena, pattern, flags, found) ||
	    (d->program && program_match(d, pattern, flags, found)))
		return opened;
	index_facts(&d->index, &facts);
	return debuginfo_answered(d, DEBUGINFO_ABSENT,
		arena_printf(d->arena, "no %s %s '%s' in the symbols of %s", kind,
				   is_glob(pattern) ? "matches" : "is named", pattern, facts.source));
}

enum debuginfo_answer debuginfo_functions(struct debuginfo *d, const char *pattern,
					  struct symbols *found)
{
	return match(d, pattern, SYMBOL_FUNCTION, "function", found);
}

enum debuginfo_answer debuginfo_data(struct debuginfo *d, const char *pattern, struct symbols *found)
{
	return match(d, pattern, SYMBOL_DATA, "variable", found);
}

enum debuginfo_answer debuginfo_symbol_at(struct debuginfo *d, const char *section, int64_t offset,
					  struct symbol *found)
{
	enum debuginfo_answer opened = open_symbols(d);

	if (opened != DEBUGINFO_FOUND || index_at(&d->index, section, offset, found))
		return opened;
	return debuginfo_answered(d, DEBUGINFO_ABSENT, "no function is at this address");
}

const char *debuginfo_suggest(struct debuginfo *d, const char *name)
{
	return open_symbols(d) == DEBUGINFO_FOUND ? index_suggest(&d->index, name) : NULL;
}

enum debuginfo_answer debuginfo_facts(struct debuginfo *d, struct debuginfo_facts *facts)
{
	enum debuginfo_answer opened = open_symbols(d);

	*facts = (struct debuginfo_facts){ 0 };
	if (opened == DEBUGINFO_FOUND)
		index_facts(&d->index, facts);
	return opened;
}

enum debuginfo_answer debuginfo_datum(struct debuginfo *d, const char *name, struct symbol *s, const char **reason)
{
	struct symbols found = { 0 };
	enum debuginfo_answer answer = debuginfo_data(d, name, &found);

	*reason = debuginfo_reason(d);
	if (answer != DEBUGINFO_FOUND)
		return answer;
	*s = found.list.items[0];
	vec_each (other, &found.list)
		if (other->address != s->address || other->section != s->section) {
			*reason = arena_printf(d->arena, "%zu variables are named '%s', and only DWARF can "
					       "distinguish them", found.list.n, name);
			return DEBUGINFO_ABSENT;
		}
	return DEBUGINFO_FOUND;
}
