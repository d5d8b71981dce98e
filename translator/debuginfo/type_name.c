/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types by their C text: named types come from the back ends. Base types, and pointers to and
 * arrays of known types, are made here, because an image need not have "struct file **". */
#include "type_name.h"

#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "debuginfo/btf/type.h"
#include "debuginfo/chain.h"
#include "base/text.h"
#include "base/util.h"

/* ---- types made here ---- */

static const struct debug_type *made_target(const struct debug_type *t)
{
	return (const struct debug_type *)(uintptr_t)t->id;
}

static const struct debug_type_reader made_reader = { .name = "C", .target = made_target };

static struct debug_type *make(struct debuginfo *d, enum debug_kind kind, uint64_t size)
{
	struct debug_type *t = arena_new(d->arena, struct debug_type);

	*t = (struct debug_type){ .kind = kind, .size = size, .image = d, .reader = &made_reader };
	return t;
}

static const struct debug_type *make_pointer(struct debuginfo *d, const struct debug_type *target)
{
	struct debug_type *t = make(d, DEBUG_POINTER, d->request.arch->word);

	t->id = (uintptr_t)target;
	return t;
}

static const struct debug_type *make_array(struct debuginfo *d, const struct debug_type *target,
					   uint64_t count)
{
	struct debug_type *t = make(d, DEBUG_ARRAY, count * target->size);

	t->count = count;
	t->id = (uintptr_t)target;
	return t;
}

/* ---- C text ---- */

struct type_parser {
	struct debuginfo *d;
	const char *text, *p;
	const char *reason;
	bool is_const, is_volatile;
};

static const char *next_word(struct type_parser *x)
{
	const char *start = x->p += strspn(x->p, " \t\n");

	while (is_identifier_char(*x->p))
		x->p++;
	return x->p == start ? NULL : arena_strndup(x->d->arena, start, (size_t)(x->p - start));
}

static bool take(struct type_parser *x, char c)
{
	x->p += strspn(x->p, " \t\n");
	if (*x->p != c)
		return false;
	x->p++;
	return true;
}

struct base_words {
	unsigned is_unsigned, is_signed, shorts, longs, ints, chars, bools, int128s;
};

static bool count_word(struct base_words *b, const char *word)
{
	const struct { const char *word; unsigned *n; } words[] = {
		{ "unsigned", &b->is_unsigned }, { "signed", &b->is_signed }, { "short", &b->shorts },
		{ "long", &b->longs }, { "int", &b->ints }, { "char", &b->chars },
		{ "_Bool", &b->bools }, { "__int128", &b->int128s },
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (str_equal(word, words[i].word))
			return ++*words[i].n;
	return false;
}

/* The names that compilers use in debug information. */
static const struct debug_type *base_type(struct debuginfo *d, const struct base_words *b)
{
	const char *sign = b->is_unsigned ? "unsigned " : "";
	const struct debug_type *known;
	const char *reason;
	struct debug_type *t;

	/* whether char is signed is set in the kernel's makefile */
	if (b->chars && !b->is_unsigned && !b->is_signed &&
	    type_by_name(d, DEBUG_TYPEDEF, "char", &known, &reason) == DEBUGINFO_FOUND)
		return known;
	t = make(d, DEBUG_INT, 4);
	t->is_signed = !b->is_unsigned;
	if (b->bools) {
		t->kind = DEBUG_BOOL;
		t->size = 1;
		t->is_signed = false;
		t->name = "_Bool";
	} else if (b->chars) {
		t->kind = DEBUG_CHAR;
		t->size = 1;
		t->name = b->is_unsigned ? "unsigned char" : b->is_signed ? "signed char" : "char";
	} else if (b->int128s) {
		t->size = 16;
		t->name = b->is_unsigned ? "__int128 unsigned" : "__int128";
	} else if (b->shorts) {
		t->size = 2;
		t->name = arena_printf(d->arena, "short %sint", sign);
	} else if (b->longs) {
		t->size = b->longs > 1 ? 8 : d->request.arch->word;
		t->name = arena_printf(d->arena, "%slong %sint", b->longs > 1 ? "long " : "", sign);
	} else {
		t->name = arena_printf(d->arena, "%sint", sign);
	}
	return t;
}

static bool is_ignored(struct type_parser *x, const char *word)
{
	if (str_equal(word, "const"))
		x->is_const = true;
	else if (str_equal(word, "volatile"))
		x->is_volatile = true;
	else
		return str_equal(word, "restrict") || str_equal(word, "__user") ||
		       str_equal(word, "__rcu") || str_equal(word, "__percpu") ||
		       str_equal(word, "__iomem") || str_equal(word, "__kernel");
	return true;
}

static enum debug_kind tag_kind(const char *word)
{
	return str_equal(word, "struct") ? DEBUG_STRUCT : str_equal(word, "union") ? DEBUG_UNION :
	       str_equal(word, "enum") ? DEBUG_ENUM : DEBUG_VOID;
}

static enum debuginfo_answer malformed(struct type_parser *x)
{
	x->reason = arena_printf(x->d->arena, "'%s' is not a type: expected a name, optionally followed by "
				 "'*' and '[NUMBER]'", x->text);
	return DEBUGINFO_ABSENT;
}

/* "struct x", "unsigned long", "const pid_t": the part before the stars. */
static enum debuginfo_answer parse_specifiers(struct type_parser *x, const struct debug_type **t)
{
	struct base_words base = { 0 };
	bool is_base = false, is_void = false;
	const char *name = NULL, *word, *back;
	enum debug_kind kind = DEBUG_TYPEDEF;

	for (back = x->p; (word = next_word(x)); back = x->p) {
		if (is_ignored(x, word))
			continue;
		if (!name && !is_base && tag_kind(word) != DEBUG_VOID && kind == DEBUG_TYPEDEF)
			kind = tag_kind(word);
		else if (!name && kind == DEBUG_TYPEDEF && count_word(&base, word))
			is_base = true;
		else if (!name && !is_base)
			name = word;
		else
			return malformed(x);
	}
	x->p = back;
	is_void = name && kind == DEBUG_TYPEDEF && str_equal(name, "void");
	if (is_base)
		*t = base_type(x->d, &base);
	else if (is_void)
		*t = make(x->d, DEBUG_VOID, 0);
	else if (!name)
		return malformed(x);
	else
		return type_by_name(x->d, kind, name, t, &x->reason);
	return DEBUGINFO_FOUND;
}

static const struct debug_type *qualified(struct type_parser *x, const struct debug_type *t)
{
	struct debug_type *copy;

	if (!x->is_const && !x->is_volatile)
		return t;
	copy = arena_new(x->d->arena, struct debug_type);
	*copy = *t;
	copy->is_const |= x->is_const;
	copy->is_volatile |= x->is_volatile;
	x->is_const = x->is_volatile = false;
	return copy;
}

/* The stars and brackets; dimensions of an array are written outermost first. */
static enum debuginfo_answer parse_declarator(struct type_parser *x, const struct debug_type **t)
{
	uint64_t counts[8];
	size_t n = 0;
	const char *word;

	*t = qualified(x, *t);
	while (take(x, '*')) {
		*t = make_pointer(x->d, *t);
		for (const char *back = x->p; (word = next_word(x)); back = x->p)
			if (!is_ignored(x, word)) {
				x->p = back;
				break;
			}
		*t = qualified(x, *t);
	}
	for (; take(x, '['); n++) {
		char *end;

		if (n == ARRAY_SIZE(counts))
			return malformed(x);
		counts[n] = strtoull(x->p, &end, 0);
		x->p = end;
		if (!take(x, ']') || counts[n] > INT32_MAX)
			return malformed(x);
	}
	while (n)
		*t = make_array(x->d, *t, counts[--n]);
	x->p += strspn(x->p, " \t\n");
	return *x->p ? malformed(x) : DEBUGINFO_FOUND;
}

enum debuginfo_answer debuginfo_type(struct debuginfo *d, const char *text, const struct debug_type **t)
{
	struct type_parser x = { .d = d, .text = text, .p = text, .reason = "" };
	enum debuginfo_answer found = parse_specifiers(&x, t);

	if (found == DEBUGINFO_FOUND)
		found = parse_declarator(&x, t);
	return debuginfo_answered(d, found, x.reason);
}

/* ---- by name, through the back ends ---- */

/* BTF comes first: it was made from the kernel's DWARF and is faster to search. */
static const struct debug_backend *const chain[] = { &btf_backend, &dwarf_backend };

enum debuginfo_answer type_by_name(struct debuginfo *d, enum debug_kind kind, const char *name,
				   const struct debug_type **t, const char **reason)
{
	enum debuginfo_answer worst = DEBUGINFO_ABSENT;
	struct text reasons;

	text_init(&reasons, d->arena);
	for (size_t i = 0; i < ARRAY_SIZE(chain); i++) {
		const char *why = "";
		enum debuginfo_answer found = chain[i]->type(d, kind, name, t, &why);

		if (found == DEBUGINFO_FOUND)
			return found;
		if (found == DEBUGINFO_BROKEN)
			worst = found;
		text_printf(&reasons, "%s%s: %s", reasons.n ? "; " : "", chain[i]->name, why);
	}
	*reason = reasons.s;
	return worst;
}

const char *debuginfo_suggest_type(struct debuginfo *d, const char *name)
{
	return btf_suggest_type(d, name);
}

enum debuginfo_answer debuginfo_enumerator(struct debuginfo *d, const char *name, int64_t *value)
{
	enum debuginfo_answer worst = DEBUGINFO_ABSENT;
	struct text reasons;

	text_init(&reasons, d->arena);
	for (size_t i = 0; i < ARRAY_SIZE(chain); i++) {
		const char *why = "";
		enum debuginfo_answer found = chain[i]->enumerator(d, name, value, &why);

		if (found == DEBUGINFO_FOUND)
			return debuginfo_answered(d, found, "");
		if (found == DEBUGINFO_BROKEN)
			worst = found;
		text_printf(&reasons, "%s%s: %s", reasons.n ? "; " : "", chain[i]->name, why);
	}
	return debuginfo_answered(d, worst, reasons.s);
}
