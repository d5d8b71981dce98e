/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types, whoever tells of them: walking, finding members, reading and writing them as C text. Base types
 * and pointers to and arrays of known types are made here: an image need not have "struct file **". */
#include "debuginfo/type.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "debuginfo/chain.h"
#include "base/text.h"
#include "base/util.h"

enum debuginfo_answer debuginfo_answered(struct debuginfo *d, enum debuginfo_answer answer,
					 const char *reason)
{
	d->reason = answer == DEBUGINFO_FOUND ? "" : reason;
	return answer;
}

/* ---- walking ---- */

static bool has_target(const struct debug_type *t)
{
	return t->kind == DEBUG_POINTER || t->kind == DEBUG_ARRAY || t->kind == DEBUG_TYPEDEF ||
	       t->kind == DEBUG_FUNCTION;
}

static bool has_members(const struct debug_type *t)
{
	return (t->kind == DEBUG_STRUCT || t->kind == DEBUG_UNION) && t->backend->member_at;
}

const struct debug_type *debug_type_target(const struct debug_type *t)
{
	return has_target(t) ? t->backend->target(t) : NULL;
}

const struct debug_type *debug_type_real(const struct debug_type *t)
{
	for (int depth = 0; t->kind == DEBUG_TYPEDEF && depth < DEEPEST_TYPE; depth++)
		t = debug_type_target(t);
	return t;
}

size_t debug_type_member_count(const struct debug_type *t)
{
	return has_members(t) ? t->backend->member_count(t) : 0;
}

bool debug_type_member_at(const struct debug_type *t, size_t i, struct debug_member *m)
{
	*m = (struct debug_member){ 0 };
	return has_members(t) && i < t->backend->member_count(t) && t->backend->member_at(t, i, m);
}

static bool is_nest(const struct debug_member *m, const struct debug_type **nest)
{
	*nest = m->name ? NULL : debug_type_real(m->type);
	return *nest && has_members(*nest);
}

static bool find_member(const struct debug_type *t, const char *name, int depth,
			struct debug_member *m)
{
	const struct debug_type *nest;
	struct debug_member inner;

	if (depth > DEEPEST_TYPE)
		return false;
	for (size_t i = 0, n = debug_type_member_count(t); i < n; i++) {
		if (!debug_type_member_at(t, i, m))
			continue;
		if (m->name && str_equal(m->name, name))
			return true;
		if (!is_nest(m, &nest) || !find_member(nest, name, depth + 1, &inner))
			continue;
		inner.offset += m->offset;
		*m = inner;
		return true;
	}
	return false;
}

bool debug_type_member(const struct debug_type *t, const char *name, struct debug_member *m)
{
	return find_member(debug_type_real(t), name, 0, m);
}

static void collect_names(struct arena *a, const struct debug_type *t, int depth, name_list *names)
{
	const struct debug_type *nest;
	struct debug_member m;

	for (size_t i = 0, n = debug_type_member_count(t); i < n && depth < DEEPEST_TYPE; i++) {
		if (!debug_type_member_at(t, i, &m))
			continue;
		if (m.name)
			*vec_add(a, names) = m.name;
		else if (is_nest(&m, &nest))
			collect_names(a, nest, depth + 1, names);
	}
}

const char *debug_type_suggest(const struct debug_type *t, const char *name)
{
	struct arena *a = arena_open();
	name_list names = { 0 };
	const char *nearest;

	collect_names(a, debug_type_real(t), 0, &names);
	nearest = nearest_name(name, names.items, names.n);
	arena_close(a);
	return nearest;
}

size_t debug_type_parameter_count(const struct debug_type *t)
{
	return t->kind == DEBUG_FUNCTION && t->backend->parameter_at ? t->backend->parameter_count(t) : 0;
}

bool debug_type_parameter_at(const struct debug_type *t, size_t i, const char **name,
			     const struct debug_type **type)
{
	return i < debug_type_parameter_count(t) && t->backend->parameter_at(t, i, name, type);
}

size_t debug_type_enumerator_count(const struct debug_type *t)
{
	return t->kind == DEBUG_ENUM && t->backend->enumerator_at ? t->backend->enumerator_count(t) : 0;
}

bool debug_type_enumerator_at(const struct debug_type *t, size_t i, const char **name, int64_t *value)
{
	return i < debug_type_enumerator_count(t) && t->backend->enumerator_at(t, i, name, value);
}

void member_set_bits(struct debug_member *m, uint64_t at, uint32_t bits, uint64_t size)
{
	uint64_t unit = size && size <= 8 ? size : 1;

	/* A bit-field that crosses its type's boundary is in a packed struct: from the byte it starts in. */
	if (at % (8 * unit) + bits > 8 * unit)
		unit = 1;
	m->offset = at / (8 * unit) * unit;
	m->bit_offset = (uint32_t)(at % (8 * unit));
	m->bit_size = bits;
}

/* ---- as C writes it ---- */

static const char *kind_word(const struct debug_type *t)
{
	switch (t->kind) {
	case DEBUG_STRUCT:
		return "struct ";
	case DEBUG_UNION:
		return "union ";
	case DEBUG_ENUM:
		return "enum ";
	default:
		return "";
	}
}

static const char *qualifiers(const struct debug_type *t)
{
	static const char *const words[] = { "", "const ", "volatile ", "const volatile " };

	return words[t->is_const + 2 * t->is_volatile];
}

static const char *pointer_to(struct arena *a, const struct debug_type *t,
			      const struct debug_type *target, const char *inner)
{
	bool wants = target->kind == DEBUG_ARRAY || target->kind == DEBUG_FUNCTION;
	char *star = arena_printf(a, "*%s", qualifiers(t));

	if (!*inner || *inner == '[' || *inner == '(')
		while (str_ends(star, " "))
			star[strlen(star) - 1] = '\0';
	return arena_printf(a, wants ? "(%s%s)" : "%s%s", star, inner);
}

static const char *type_text(struct arena *a, const struct debug_type *t, const char *inner, int depth);

static const char *function_inner(struct arena *a, const struct debug_type *t, const char *inner,
				  int depth)
{
	size_t n = debug_type_parameter_count(t);
	const struct debug_type *type;
	const char *name;
	struct text out;

	text_init(&out, a);
	text_printf(&out, "%s(%s", inner, n ? "" : "void");
	for (size_t i = 0; i < n; i++) {
		if (i)
			text_add(&out, ", ");
		if (debug_type_parameter_at(t, i, &name, &type))
			text_add(&out, type ? type_text(a, type, "", depth + 1) : "...");
	}
	text_char(&out, ')');
	return out.s;
}

/* The declaration of INNER as a T: outwards from the name. */
static const char *type_text(struct arena *a, const struct debug_type *t, const char *inner, int depth)
{
	const struct debug_type *target;

	if (depth > DEEPEST_TYPE)
		return "?";
	target = t->kind == DEBUG_TYPEDEF ? NULL : debug_type_target(t);
	switch (target ? t->kind : DEBUG_VOID) {
	case DEBUG_POINTER:
		return type_text(a, target, pointer_to(a, t, target, inner), depth + 1);
	case DEBUG_ARRAY:
		inner = t->count ? arena_printf(a, "%s[%llu]", inner, (unsigned long long)t->count) :
				   arena_printf(a, "%s[]", inner);
		return type_text(a, target, inner, depth + 1);
	case DEBUG_FUNCTION:
		return type_text(a, target, function_inner(a, t, inner, depth), depth + 1);
	default:
		return arena_printf(a, "%s%s%s%s%s", qualifiers(t), kind_word(t),
				    t->name ? t->name : t->kind == DEBUG_VOID ? "void" : "{...}",
				    *inner ? " " : "", inner);
	}
}

const char *debug_type_text(struct arena *a, const struct debug_type *t)
{
	return type_text(a, t, "", 0);
}

/* ---- made here ---- */

static const struct debug_type *made_target(const struct debug_type *t)
{
	return (const struct debug_type *)(uintptr_t)t->id;
}

static const struct debug_backend made_backend = { .name = "C", .target = made_target };

static struct debug_type *make(struct debuginfo *d, enum debug_kind kind, uint64_t size)
{
	struct debug_type *t = arena_new(d->arena, struct debug_type);

	*t = (struct debug_type){ .kind = kind, .size = size, .image = d, .backend = &made_backend };
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

	while (isalnum((unsigned char)*x->p) || *x->p == '_')
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

/* Names as compilers write them into debug information. */
static const struct debug_type *base_type(struct debuginfo *d, const struct base_words *b)
{
	const char *sign = b->is_unsigned ? "unsigned " : "";
	const struct debug_type *known;
	const char *reason;
	struct debug_type *t;

	/* Whether it is signed, the kernel's makefile says. */
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
	x->reason = arena_printf(x->d->arena, "'%s' is no type: expected a name, '*' and '[NUMBER]' after "
				 "it", x->text);
	return DEBUGINFO_ABSENT;
}

/* "struct x", "unsigned long", "const pid_t": what is before the stars. */
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

/* The stars and brackets; the dimensions of an array are written outermost first. */
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

/* ---- by name, through the chain ---- */

/* BTF comes first: it was made from the kernel's DWARF and is found at once. */
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
