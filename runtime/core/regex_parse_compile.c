/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses the pattern into a tree, by recursive descent. */
#include "core/regex_shared_compile.h"

enum { MOST_GROUP_DEPTH = 100, MOST_REPEATS = 255 };

static bool within(u32 byte, u32 low, u32 high)
{
	return byte >= low && byte <= high;
}

static bool is_alpha(u32 b) { return within(b | 0x20, 'a', 'z') && b < 0x80; }
static bool is_digit(u32 b) { return within(b, '0', '9'); }
static bool is_alnum(u32 b) { return is_alpha(b) || is_digit(b); }
static bool is_word(u32 b) { return is_alnum(b) || b == '_'; }
static bool is_space(u32 b) { return b == ' ' || within(b, '\t', '\r'); }
static bool is_upper(u32 b) { return within(b, 'A', 'Z'); }
static bool is_lower(u32 b) { return within(b, 'a', 'z'); }
static bool is_graph(u32 b) { return within(b, '!', '~'); }
static bool is_print(u32 b) { return within(b, ' ', '~'); }
static bool is_punct(u32 b) { return is_graph(b) && !is_alnum(b); }
static bool is_cntrl(u32 b) { return b < ' ' || b == 0x7f; }
static bool is_blank(u32 b) { return b == ' ' || b == '\t'; }
static bool is_xdigit(u32 b) { return is_digit(b) || (within(b | 0x20, 'a', 'f') && b < 0x80); }

static void set_add_all(struct set *s, bool (*is_in)(u32 byte))
{
	u32 b;

	for (b = 0; b < 256; b++)
		if (is_in(b))
			set_add(s, b);
}

static bool more(const struct compiler *c)
{
	return c->at < c->size;
}

static u8 look(const struct compiler *c, u32 ahead)
{
	return c->at + ahead < c->size ? (u8)c->text[c->at + ahead] : 0;
}

static struct node *literal(struct compiler *c)
{
	struct set s = { { 0 } };

	set_add(&s, (u8)c->text[c->at++]);
	return tap_regex_bytes(c, &s);
}

/* "[:alpha:]", from after the first [: to after the last ]. */
static bool parse_class(struct compiler *c, struct set *s)
{
	static const struct { const char *name; bool (*is_in)(u32 byte); } classes[] = {
		{ "alpha", is_alpha }, { "digit", is_digit }, { "alnum", is_alnum },
		{ "space", is_space }, { "upper", is_upper }, { "lower", is_lower },
		{ "graph", is_graph }, { "print", is_print }, { "punct", is_punct },
		{ "cntrl", is_cntrl }, { "blank", is_blank }, { "xdigit", is_xdigit },
	};
	u32 i, size;

	for (i = 0; i < sizeof(classes) / sizeof(*classes); i++) {
		size = (u32)__builtin_strlen(classes[i].name);
		if (c->size - c->at >= size + 2 && !__builtin_memcmp(c->text + c->at, classes[i].name, size) &&
		    c->text[c->at + size] == ':' && c->text[c->at + size + 1] == ']') {
			set_add_all(s, classes[i].is_in);
			c->at += size + 2;
			return true;
		}
	}
	fail(c, "unknown character class");
	return false;
}

/* One element of a bracket expression that may begin or end a range: a byte, [.x.] or [=x=]. */
static s32 parse_element(struct compiler *c)
{
	u8 mark = look(c, 1);

	if (look(c, 0) != '[' || (mark != '.' && mark != '='))
		return (u8)c->text[c->at++];
	if (look(c, 3) != mark || look(c, 4) != ']') {
		fail(c, "only single characters are supported in [.x.] and [=x=]");
		return -1;
	}
	c->at += 5;
	return (u8)c->text[c->at - 3];
}

static bool parse_range(struct compiler *c, struct set *s)
{
	u32 position = c->at;
	s32 low = parse_element(c), high = low;

	if (low < 0)
		return false;
	if (look(c, 0) == '-' && look(c, 1) != ']' && c->size - c->at >= 2) {
		c->at++;
		high = parse_element(c);
	}
	if (high >= 0 && high < low)
		tap_regex_fail_at(c, position, "the range ends before it begins");
	for (; low <= high; low++)
		set_add(s, (u32)low);
	return !c->failed;
}

static struct node *parse_bracket(struct compiler *c)
{
	struct set s = { { 0 } };
	u32 position = c->at++;
	bool inverted = look(c, 0) == '^';
	bool first = true;

	c->at += inverted;
	for (;; first = false) {
		if (!more(c))
			return tap_regex_fail_at(c, position, "unmatched [");
		if (look(c, 0) == ']' && !first)
			break;
		if (look(c, 0) == '[' && look(c, 1) == ':') {
			c->at += 2;
			if (!parse_class(c, &s))
				return NULL;
		} else if (!parse_range(c, &s)) {
			return NULL;
		}
	}
	c->at++;
	if (inverted)
		set_invert(&s);
	return tap_regex_bytes(c, &s);
}

static struct node *parse_escape(struct compiler *c)
{
	struct set s = { { 0 } };
	u8 b = look(c, 1);

	if (c->size - c->at < 2)
		return fail(c, "\\ at the end");
	switch (b) {
	case 'w': case 'W': set_add_all(&s, is_word); break;
	case 's': case 'S': set_add_all(&s, is_space); break;
	case 'a': set_add(&s, 7); break;
	case 't': set_add(&s, 9); break;
	case 'n': set_add(&s, 10); break;
	case 'v': set_add(&s, 11); break;
	case 'f': set_add(&s, 12); break;
	case 'r': set_add(&s, 13); break;
	default:
		if (is_digit(b))
			return fail(c, "references to subexpressions (\\1) are not supported");
		if (is_alpha(b) || b == '<' || b == '>')
			return fail(c, "this escape is not supported");
		set_add(&s, b);
	}
	if (b == 'W' || b == 'S')
		set_invert(&s);
	c->at += 2;
	return tap_regex_bytes(c, &s);
}

static struct node *parse_alternatives(struct compiler *c);

static struct node *parse_group(struct compiler *c)
{
	u32 position = c->at++;
	struct node *inner;
	u8 group;

	if (c->groups == TAP_MOST_GROUPS)
		return tap_regex_fail_at(c, position, "more than 31 subexpressions");
	if (c->depth == MOST_GROUP_DEPTH)
		return tap_regex_fail_at(c, position, "subexpressions nested too deeply");
	group = (u8)c->groups++;
	c->depth++;
	inner = parse_alternatives(c);
	c->depth--;
	if (inner && look(c, 0) != ')')
		return tap_regex_fail_at(c, position, "unmatched (");
	c->at++;
	return tap_regex_group(c, inner, group, (u8)(c->groups - 1));
}

static struct node *parse_atom(struct compiler *c)
{
	struct set s = { { 0 } };

	switch (look(c, 0)) {
	case '(':
		return parse_group(c);
	case '[':
		return parse_bracket(c);
	case '\\':
		return parse_escape(c);
	case '.':
		c->at++;
		set_invert(&s);
		return tap_regex_bytes(c, &s);
	case '^':
		c->at++;
		c->has_bol = true;
		return tap_regex_node(c, BOL);
	case '$':
		c->at++;
		return tap_regex_node(c, EOL);
	case '*': case '+': case '?':
		return fail(c, "nothing to repeat");
	case '{':
		if (is_digit(look(c, 1)) || look(c, 1) == ',')
			return fail(c, "nothing to repeat");
	}
	return literal(c);
}

static s32 parse_count(struct compiler *c)
{
	u32 position = c->at;
	s32 n = -1;

	for (; is_digit(look(c, 0)); c->at++) {
		n = (n < 0 ? 0 : n * 10) + (look(c, 0) - '0');
		if (n > MOST_REPEATS) {
			tap_regex_fail_at(c, position, "a repetition count above 255");
			return -1;
		}
	}
	return n;
}

/* {m} {m,} {,n} {m,n} after N. */
static struct node *parse_bounds(struct compiler *c, struct node *n)
{
	u32 position = c->at++;
	s32 least = parse_count(c), most = least;

	if (look(c, 0) == ',') {
		c->at++;
		most = parse_count(c);
		if (least < 0 && most >= 0)
			least = 0;
	}
	if (c->failed)
		return NULL;
	if (look(c, 0) != '}' || least < 0 || (most >= 0 && most < least))
		return tap_regex_fail_at(c, position, "malformed {m,n}");
	c->at++;
	return tap_regex_repeat(c, n, least, most);
}

/* "+*?" and the like in sequence: equivalent to a single one. */
static struct node *parse_marks(struct compiler *c, struct node *n)
{
	bool none = false, many = false;

	for (;; c->at++) {
		switch (look(c, 0)) {
		case '*': none = many = true; continue;
		case '+': many = true; continue;
		case '?': none = true; continue;
		}
		break;
	}
	if (many)
		return none ? tap_regex_star(c, n) : tap_regex_plus(c, n);
	return tap_regex_alt(c, n, tap_regex_node(c, EMPTY));
}

static struct node *parse_piece(struct compiler *c)
{
	struct node *n = parse_atom(c);

	while (n && more(c)) {
		switch (look(c, 0)) {
		case '*': case '+': case '?':
			n = parse_marks(c, n);
			continue;
		case '{':
			if (!is_digit(look(c, 1)) && look(c, 1) != ',')
				return n;
			n = parse_bounds(c, n);
			continue;
		}
		break;
	}
	return n;
}

struct piece {
	struct piece *before;
	struct node *node;
};

/* Joined from the right, so that the first piece is the first to be made as long as possible. */
static struct node *parse_sequence(struct compiler *c)
{
	struct piece *last = NULL, *piece;
	struct node *all;

	while (more(c) && look(c, 0) != '|' && look(c, 0) != ')') {
		piece = tap_regex_make(c, sizeof(*piece));
		if (!piece)
			return NULL;
		piece->before = last;
		piece->node = parse_piece(c);
		if (!piece->node)
			return NULL;
		last = piece;
	}
	all = tap_regex_node(c, EMPTY);
	for (; last && all; last = last->before)
		all = tap_regex_cat(c, last->node, all);
	return all;
}

static struct node *parse_alternatives(struct compiler *c)
{
	struct node *n = parse_sequence(c);
	struct piece *last = NULL, *piece;

	/* a|b|c as a|(b|c): the first alternative that fits */
	while (n && look(c, 0) == '|') {
		piece = tap_regex_make(c, sizeof(*piece));
		if (!piece)
			return NULL;
		piece->before = last;
		piece->node = n;
		last = piece;
		c->at++;
		n = parse_sequence(c);
	}
	for (; last && n; last = last->before)
		n = tap_regex_alt(c, last->node, n);
	return n;
}

struct node *tap_regex_parse(struct compiler *c)
{
	struct node *tree = parse_alternatives(c);

	return tree && more(c) ? fail(c, "unmatched )") : tree;
}
