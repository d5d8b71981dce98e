/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Regular expressions to tables, in user space. The one part of core with recursion; its depth is
 * limited by MOST_DEPTH.
 *
 *	pattern -parse-> tree -build-> states (an NFA) -forward-> next[]
 *	                                               -backward-> back[], choices[]
 *
 * The tree has no repetition of something that can match nothing: x* with such an x is written as
 * "turns that match something, or one empty turn, or none" (star_of, solid, hollow). So states have no
 * cycle that consumes nothing.
 *
 * What the DFA from the right knows. Read backwards, each state of the NFA that can still reach the end
 * has one best way to go on, and where it has two (a fork) POSIX compares the places where the parts of
 * the expression that it lies in (struct part) will end: the outermost first, later is better; if all
 * are equal the first branch is the better one. Only the order of these places matters. So a state of
 * this DFA is: which NFA states are alive, and for each of them the rank of each end among the others.
 * Going one byte to the left, what ends right here ranks behind everything that ends further on. The
 * whole expression is the outermost part, which makes the match the longest one. */
#include "core/regex.h"
#include "core/host.h"

enum { MOST_GROUP_DEPTH = 100, MOST_DEPTH = 8192, MOST_TREE = 1 << 18, MOST_REPEATS = 255,
       MOST_STATES = 32768 };

/* ---- memory: all of a compilation in one list of blocks ---- */

struct block {
	struct block *next;
	u64 used, size;
};

struct set {				/* of bytes */
	u64 bits[4];
};

enum kind { FAIL, EMPTY, BYTES, CAT, ALT, STAR, GROUP, BOL, EOL };

struct node {
	u8 kind;
	u8 group, last_group;
	bool empty;			/* can match nothing */
	bool choice;			/* has a fork in it */
	struct set set;
	struct node *left, *right;
};

/* A part of the expression whose end decides between branches in it. */
struct part {
	u32 parent, level;
};

enum op { OP_ACCEPT, OP_FAIL, OP_BYTES, OP_FORK, OP_OPEN, OP_CLOSE, OP_END, OP_BOL, OP_EOL };

struct state {
	u8 op;
	u8 group, last_group;
	u16 fork;
	u32 next, other;
	u32 part;			/* innermost; END: the one that ends */
	const struct set *set;
};

struct compiler {
	const char *text;
	u32 size, at;
	struct tap_regex_error *error;
	bool failed;
	struct block *blocks;
	u32 groups, depth;
	u32 nodes;			/* of the tree */

	struct state *states;
	u32 state_count;
	struct part *parts;
	u32 part_count;
	u32 fork_count;
	u32 levels;			/* deepest part + 1 */
	u32 start;
	u32 *order;			/* states that consume nothing, each behind those it leads to */
	u32 order_count;
	bool has_bol;

	u8 classes[256];
	u8 sample[256];			/* a byte of each class */
	u32 columns;
};

static void *fail_at(struct compiler *c, u32 position, const char *text)
{
	if (!c->failed) {
		c->failed = true;
		c->error->position = position;
		c->error->text = text;
	}
	return NULL;
}

static void *fail(struct compiler *c, const char *text)
{
	return fail_at(c, c->at, text);
}

static void *make(struct compiler *c, u64 size)
{
	struct block *b = c->blocks;

	size = (size + 15) & ~(u64)15;
	if (!b || b->size - b->used < size) {
		u64 room = size > 65536 ? size : 65536;

		b = tap_alloc(sizeof(*b) + 16 + room);
		if (!b)
			return fail(c, "out of memory");
		b->next = c->blocks;
		b->size = room;
		c->blocks = b;
	}
	b->used += size;
	return (char *)b + ((sizeof(*b) + 15) & ~15ul) + b->used - size;
}

/* ---- the tree ---- */

static struct node *node_of(struct compiler *c, enum kind kind)
{
	struct node *n;

	if (c->nodes++ == MOST_TREE)
		return fail(c, "the expression is too large");
	n = make(c, sizeof(*n));
	if (n) {
		n->kind = kind;
		n->empty = kind == EMPTY || kind == BOL || kind == EOL;
	}
	return n;
}

static struct node *empty_node(struct compiler *c)
{
	return node_of(c, EMPTY);
}

/* Either may be NULL after an error, and FAIL is dropped where it decides. */
static struct node *cat_of(struct compiler *c, struct node *left, struct node *right)
{
	struct node *n;

	if (!left || !right)
		return NULL;
	if (left->kind == FAIL || right->kind == EMPTY)
		return left;
	if (right->kind == FAIL || left->kind == EMPTY)
		return right;
	n = node_of(c, CAT);
	if (n) {
		n->left = left;
		n->right = right;
		n->empty = left->empty && right->empty;
		n->choice = left->choice || right->choice;
	}
	return n;
}

static struct node *alt_of(struct compiler *c, struct node *left, struct node *right)
{
	struct node *n;

	if (!left || !right)
		return NULL;
	if (left->kind == FAIL)
		return right;
	if (right->kind == FAIL)
		return left;
	n = node_of(c, ALT);
	if (n) {
		n->left = left;
		n->right = right;
		n->empty = left->empty || right->empty;
		n->choice = true;
	}
	return n;
}

static struct node *group_of(struct compiler *c, struct node *inner, u8 group, u8 last)
{
	struct node *n;

	if (!inner || inner->kind == FAIL)
		return inner;
	n = node_of(c, GROUP);
	if (n) {
		n->left = inner;
		n->group = group;
		n->last_group = last;
		n->empty = inner->empty;
		n->choice = inner->choice;
	}
	return n;
}

/* To be undone by c->depth--, also when it says no. */
static bool deeper(struct compiler *c)
{
	if (c->depth++ < MOST_DEPTH)
		return true;
	fail(c, "the expression is too large");
	return false;
}

static struct node *hollow(struct compiler *c, struct node *n);
static struct node *solid(struct compiler *c, struct node *n);

static struct node *hollow_part(struct compiler *c, struct node *n)
{
	switch (n->kind) {
	case CAT:
		return cat_of(c, hollow(c, n->left), hollow(c, n->right));
	case ALT:
		return alt_of(c, hollow(c, n->left), hollow(c, n->right));
	case GROUP:
		return group_of(c, hollow(c, n->left), n->group, n->last_group);
	case STAR:
		return empty_node(c);
	}
	return n;
}

/* What of N matches nothing, with its groups. */
static struct node *hollow(struct compiler *c, struct node *n)
{
	struct node *result = NULL;

	if (!n || !n->empty)
		return n ? node_of(c, FAIL) : NULL;
	if (deeper(c))
		result = hollow_part(c, n);
	c->depth--;
	return result;
}

static struct node *solid_part(struct compiler *c, struct node *n)
{
	switch (n->kind) {
	case CAT:
		return alt_of(c, cat_of(c, solid(c, n->left), n->right),
			      cat_of(c, hollow(c, n->left), solid(c, n->right)));
	case ALT:
		return alt_of(c, solid(c, n->left), solid(c, n->right));
	case GROUP:
		return group_of(c, solid(c, n->left), n->group, n->last_group);
	case STAR:
		return cat_of(c, n->left, n);
	}
	return node_of(c, FAIL);
}

/* What of N matches at least one byte. */
static struct node *solid(struct compiler *c, struct node *n)
{
	struct node *result = NULL;

	if (!n || !n->empty)
		return n;
	if (deeper(c))
		result = solid_part(c, n);
	c->depth--;
	return result;
}

/* Turns of something that always matches a byte. */
static struct node *turns_of(struct compiler *c, struct node *body)
{
	struct node *n;

	if (!body || body->kind == FAIL)
		return body ? empty_node(c) : NULL;
	n = node_of(c, STAR);
	if (n) {
		n->left = body;
		n->empty = true;
		n->choice = true;
	}
	return n;
}

static struct node *plus_of(struct compiler *c, struct node *n)
{
	struct node *some = solid(c, n);

	if (!some)
		return NULL;
	some = cat_of(c, some, turns_of(c, some));
	return n->empty ? alt_of(c, some, hollow(c, n)) : some;
}

static struct node *star_of(struct compiler *c, struct node *n)
{
	if (!n)
		return NULL;
	if (!n->empty)
		return turns_of(c, n);
	return alt_of(c, plus_of(c, n), empty_node(c));
}

/* N at least LEAST times, at most MOST times, or without a limit (MOST < 0). Turns that need not be are
 * turns that match something. */
static struct node *repeat_of(struct compiler *c, struct node *n, s32 least, s32 most)
{
	struct node *rest, *turn;
	s32 i;

	if (!n)
		return NULL;
	if (most == 0)
		return empty_node(c);
	if (most < 0) {
		rest = least ? plus_of(c, n) : star_of(c, n);
		i = least ? 1 : 0;
	} else {
		rest = empty_node(c);
		for (i = most; i > least; i--) {
			turn = i == 1 ? n : solid(c, n);
			rest = alt_of(c, cat_of(c, turn, rest), empty_node(c));
		}
		i = 0;
	}
	for (; i < least && rest; i++)
		rest = cat_of(c, n, rest);
	return rest;
}

/* ---- parsing ---- */

static void set_add(struct set *s, u32 byte)
{
	s->bits[byte / 64] |= (u64)1 << byte % 64;
}

static bool set_has(const struct set *s, u32 byte)
{
	return s->bits[byte / 64] >> byte % 64 & 1;
}

static void set_invert(struct set *s)
{
	u32 i;

	for (i = 0; i < 4; i++)
		s->bits[i] = ~s->bits[i];
}

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

static struct node *bytes_node(struct compiler *c, const struct set *set)
{
	struct node *n = node_of(c, BYTES);

	if (n)
		n->set = *set;
	return n;
}

static struct node *literal(struct compiler *c)
{
	struct set s = { { 0 } };

	set_add(&s, (u8)c->text[c->at++]);
	return bytes_node(c, &s);
}

/* "[:alpha:]" from behind the first [: to behind the last ]. */
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

/* One element of a bracket that may begin or end a range: a byte, [.x.] or [=x=]. */
static s32 parse_element(struct compiler *c)
{
	u8 mark = look(c, 1);

	if (look(c, 0) != '[' || (mark != '.' && mark != '='))
		return (u8)c->text[c->at++];
	if (look(c, 3) != mark || look(c, 4) != ']') {
		fail(c, "only single characters are known as [.x.] or [=x=]");
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
		fail_at(c, position, "the range ends before it begins");
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
			return fail_at(c, position, "unmatched [");
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
	return bytes_node(c, &s);
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
	return bytes_node(c, &s);
}

static struct node *parse_alternatives(struct compiler *c);

static struct node *parse_group(struct compiler *c)
{
	u32 position = c->at++;
	struct node *inner;
	u8 group;

	if (c->groups == TAP_MOST_GROUPS)
		return fail_at(c, position, "more than 31 subexpressions");
	if (c->depth == MOST_GROUP_DEPTH)
		return fail_at(c, position, "subexpressions nested too deeply");
	group = (u8)c->groups++;
	c->depth++;
	inner = parse_alternatives(c);
	c->depth--;
	if (inner && look(c, 0) != ')')
		return fail_at(c, position, "unmatched (");
	c->at++;
	return group_of(c, inner, group, (u8)(c->groups - 1));
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
		return bytes_node(c, &s);
	case '^':
		c->at++;
		c->has_bol = true;
		return node_of(c, BOL);
	case '$':
		c->at++;
		return node_of(c, EOL);
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
			fail_at(c, position, "a repetition count above 255");
			return -1;
		}
	}
	return n;
}

/* {m} {m,} {,n} {m,n} behind N. */
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
		return fail_at(c, position, "malformed {m,n}");
	c->at++;
	return repeat_of(c, n, least, most);
}

static struct node *parse_piece(struct compiler *c)
{
	struct node *n = parse_atom(c);

	while (n && more(c)) {
		switch (look(c, 0)) {
		case '*':
			c->at++;
			n = star_of(c, n);
			continue;
		case '+':
			c->at++;
			n = plus_of(c, n);
			continue;
		case '?':
			c->at++;
			n = alt_of(c, n, empty_node(c));
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

/* Joined from the right, so that the first piece is the first to be as long as possible. */
static struct node *parse_sequence(struct compiler *c)
{
	struct piece *last = NULL, *piece;
	struct node *all;

	while (more(c) && look(c, 0) != '|' && look(c, 0) != ')') {
		piece = make(c, sizeof(*piece));
		if (!piece)
			return NULL;
		piece->before = last;
		piece->node = parse_piece(c);
		if (!piece->node)
			return NULL;
		last = piece;
	}
	all = empty_node(c);
	for (; last && all; last = last->before)
		all = cat_of(c, last->node, all);
	return all;
}

static struct node *parse_alternatives(struct compiler *c)
{
	struct node *n = parse_sequence(c);
	struct piece *last = NULL, *piece;

	/* a|b|c as a|(b|c): the first that fits. */
	while (n && look(c, 0) == '|') {
		piece = make(c, sizeof(*piece));
		if (!piece)
			return NULL;
		piece->before = last;
		piece->node = n;
		last = piece;
		c->at++;
		n = parse_sequence(c);
	}
	for (; last && n; last = last->before)
		n = alt_of(c, last->node, n);
	return n;
}

/* ---- states ---- */

static u32 state_of(struct compiler *c, enum op op, u32 next, u32 part)
{
	struct state *s;

	if (c->state_count == TAP_REGEX_MOST_NODES) {
		fail(c, "the expression is too large");
		return 0;
	}
	s = &c->states[c->state_count];
	s->op = op;
	s->next = next;
	s->part = part;
	if (op == OP_FORK)
		s->fork = (u16)c->fork_count++;
	return c->state_count++;
}

/* A part within PARENT, and the state where it ends, before NEXT. */
static u32 part_of(struct compiler *c, u32 parent, u32 next, u32 *part)
{
	struct part *p;

	if (c->part_count == TAP_REGEX_MOST_NODES) {
		fail(c, "the expression is too large");
		return 0;
	}
	p = &c->parts[c->part_count];
	p->parent = parent;
	p->level = c->part_count ? c->parts[parent].level + 1 : 0;
	if (p->level >= c->levels)
		c->levels = p->level + 1;
	*part = c->part_count++;
	return state_of(c, OP_END, next, *part);
}

static u32 build(struct compiler *c, const struct node *n, u32 next, u32 part);

static u32 build_part(struct compiler *c, const struct node *n, u32 next, u32 part)
{
	u32 s, inner, end;

	switch (n->kind) {
	case EMPTY:
		s = next;
		break;
	case BYTES:
		s = state_of(c, OP_BYTES, next, part);
		c->states[s].set = &n->set;
		break;
	case BOL: case EOL:
		s = state_of(c, n->kind == BOL ? OP_BOL : OP_EOL, next, part);
		break;
	case CAT:
		next = build(c, n->right, next, part);
		end = next;
		if (n->left->choice)
			end = part_of(c, part, next, &part);
		s = build(c, n->left, end, part);
		break;
	case ALT:
		inner = build(c, n->right, next, part);
		end = build(c, n->left, next, part);
		s = state_of(c, OP_FORK, end, part);
		c->states[s].other = inner;
		break;
	case STAR:
		s = state_of(c, OP_FORK, 0, part);
		c->states[s].other = next;
		end = s;
		if (n->left->choice)
			end = part_of(c, part, s, &part);
		inner = build(c, n->left, end, part);
		c->states[s].next = inner;
		break;
	case GROUP:
		end = state_of(c, OP_CLOSE, next, part);
		c->states[end].group = n->group;
		inner = build(c, n->left, end, part);
		s = state_of(c, OP_OPEN, inner, part);
		c->states[s].group = n->group;
		c->states[s].last_group = n->last_group;
		break;
	default:
		s = state_of(c, OP_FAIL, 0, part);
	}
	return s;
}

/* The state where N begins, which goes on at NEXT; in PART. */
static u32 build(struct compiler *c, const struct node *n, u32 next, u32 part)
{
	u32 s = 0;

	if (deeper(c) && !c->failed)
		s = build_part(c, n, next, part);
	c->depth--;
	return s;
}

static bool leads_on(const struct state *s)
{
	return s->op != OP_BYTES && s->op != OP_ACCEPT && s->op != OP_FAIL;
}

/* Depth first with a stack of our own: a state is put into the order after what it leads to. */
static bool order_states(struct compiler *c)
{
	u32 *stack = make(c, ((u64)c->state_count * 2 + 2) * sizeof(*stack));
	u8 *seen = make(c, c->state_count);	/* 1: entered, 2: done */
	u32 depth, i;

	c->order = make(c, (u64)c->state_count * sizeof(*c->order));
	if (c->failed)
		return false;
	for (i = 0; i < c->state_count; i++) {
		depth = 0;
		stack[depth++] = i;
		while (depth) {
			u32 at = stack[depth - 1];
			const struct state *s = &c->states[at];

			if (seen[at] == 2) {
				depth--;
				continue;
			}
			if (seen[at] == 1 || !leads_on(s)) {
				seen[at] = 2;
				c->order[c->order_count++] = at;
				depth--;
				continue;
			}
			seen[at] = 1;
			if (!seen[s->next])
				stack[depth++] = s->next;
			if (s->op == OP_FORK && !seen[s->other])
				stack[depth++] = s->other;
		}
	}
	return true;
}

/* Bytes that no set tells apart share a column. */
static void find_classes(struct compiler *c)
{
	u32 b, k, i;

	for (b = 0; b < 256; b++) {
		for (k = 0; k < c->columns; k++) {
			for (i = 0; i < c->state_count; i++) {
				const struct state *s = &c->states[i];

				if (s->op == OP_BYTES && set_has(s->set, b) != set_has(s->set, c->sample[k]))
					break;
			}
			if (i == c->state_count)
				break;
		}
		if (k == c->columns)
			c->sample[c->columns++] = (u8)b;
		c->classes[b] = (u8)k;
	}
}

static bool build_states(struct compiler *c, const struct node *tree)
{
	u32 accept, end;

	c->states = make(c, TAP_REGEX_MOST_NODES * sizeof(*c->states));
	c->parts = make(c, TAP_REGEX_MOST_NODES * sizeof(*c->parts));
	if (c->failed)
		return false;
	c->depth = 0;
	accept = state_of(c, OP_ACCEPT, 0, 0);
	end = part_of(c, 0, accept, &c->states[accept].part);
	c->start = build(c, tree, end, 0);
	if (c->failed || !order_states(c))
		return false;
	find_classes(c);
	return true;
}

/* ---- DFA states by their description, a string of bytes ---- */

struct known {
	struct known *next;		/* with the same hash */
	u32 number, size;
	u8 *key;
};

struct numbering {
	struct compiler *c;
	struct known *heads[1024];
	struct known **by_number;
	u32 count, most;
};

static bool numbering_open(struct numbering *n, struct compiler *c, u32 columns)
{
	__builtin_memset(n, 0, sizeof(*n));
	n->c = c;
	n->most = TAP_REGEX_MOST_CELLS / columns;
	if (n->most > MOST_STATES)
		n->most = MOST_STATES;
	n->by_number = make(c, (u64)n->most * sizeof(*n->by_number));
	return n->by_number != NULL;
}

/* KEY's number, a new one if it hasn't been seen. */
static u32 number_of(struct numbering *n, const u8 *key, u32 size)
{
	u32 hash = 2166136261u, i;
	struct known **head, *k;

	for (i = 0; i < size; i++)
		hash = (hash ^ key[i]) * 16777619u;
	head = &n->heads[(hash ^ hash >> 15) % 1024];
	for (k = *head; k; k = k->next)
		if (k->size == size && !__builtin_memcmp(k->key, key, size))
			return k->number;
	if (n->count == n->most) {
		fail_at(n->c, 0, "the expression is too complex: its tables would be too large");
		return 0;
	}
	k = make(n->c, sizeof(*k));
	if (!k)
		return 0;
	k->key = make(n->c, size);
	if (!k->key)
		return 0;
	__builtin_memcpy(k->key, key, size);
	k->size = size;
	k->number = n->count;
	k->next = *head;
	*head = k;
	n->by_number[n->count] = k;
	return n->count++;
}

/* ---- from the left ---- */

/* A key is a byte for each NFA state, 1 if it may be there; the states that need a byte or an end. */
struct forward {
	struct compiler *c;
	u8 *reached;
	bool at_begin, at_end;
};

/* Close REACHED over what consumes nothing; true if that gets to the end of the expression. */
static bool spread(struct forward *f)
{
	struct compiler *c = f->c;
	bool matched = false;
	u32 i = c->order_count;

	while (i--) {
		u32 at = c->order[i];
		const struct state *s = &c->states[at];

		if (!f->reached[at])
			continue;
		if (s->op == OP_ACCEPT)
			matched = true;
		if (!leads_on(s) || (s->op == OP_BOL && !f->at_begin) || (s->op == OP_EOL && !f->at_end))
			continue;
		f->reached[s->next] = 1;
		if (s->op == OP_FORK)
			f->reached[s->other] = 1;
	}
	return matched;
}

/* Only what matters later stays in a key. */
static void trim(struct forward *f)
{
	u32 i;

	for (i = 0; i < f->c->state_count; i++)
		if (f->c->states[i].op != OP_BYTES && f->c->states[i].op != OP_EOL)
			f->reached[i] = 0;
}

/* The DFA state of what REACHED leads to. */
static u32 forward_state(struct forward *f, struct numbering *n)
{
	u32 count = f->c->state_count;

	if (spread(f)) {
		__builtin_memset(f->reached, 1, count);
		return TAP_REGEX_MATCHED;
	}
	trim(f);
	return number_of(n, f->reached, count);
}

static bool matches_at_end(struct forward *f, const u8 *key, bool at_begin)
{
	bool matched;

	__builtin_memcpy(f->reached, key, f->c->state_count);
	f->at_end = true;
	f->at_begin = at_begin;
	matched = spread(f);
	f->at_end = f->at_begin = false;
	return matched;
}

static u32 forward_step(struct forward *f, struct numbering *n, const u8 *key, u8 byte)
{
	struct compiler *c = f->c;
	u32 i;

	__builtin_memset(f->reached, 0, c->state_count);
	f->reached[c->start] = 1;		/* a match may also begin here */
	for (i = 0; i < c->state_count; i++)
		if (key[i] && c->states[i].op == OP_BYTES && set_has(c->states[i].set, byte))
			f->reached[c->states[i].next] = 1;
	return forward_state(f, n);
}

static bool make_forward(struct compiler *c, struct tap_regex *re, u16 **next, u8 **at_end)
{
	struct numbering *n = make(c, sizeof(*n));
	struct forward f = { .c = c };
	u32 count = c->state_count, i, k;
	u8 *all = make(c, count);

	f.reached = make(c, count);
	if (c->failed || !numbering_open(n, c, c->columns))
		return false;
	/* TAP_REGEX_FAILED: nothing reached; TAP_REGEX_MATCHED: all, which nothing else can be, as the
	 * state that accepts is no part of a key. */
	number_of(n, f.reached, count);
	__builtin_memset(all, 1, count);
	number_of(n, all, count);
	*next = make(c, (u64)n->most * c->columns * sizeof(**next));
	*at_end = make(c, n->most);
	if (c->failed)
		return false;
	__builtin_memset(f.reached, 0, count);
	f.reached[c->start] = 1;
	f.at_begin = true;
	re->start = forward_state(&f, n);
	f.at_begin = false;
	for (k = 0; k < c->columns; k++)
		(*next)[TAP_REGEX_MATCHED * c->columns + k] = TAP_REGEX_MATCHED;
	(*at_end)[TAP_REGEX_MATCHED] = 1;
	for (i = 0; i < n->count && !c->failed; i++) {
		if (i == TAP_REGEX_MATCHED)
			continue;
		for (k = 0; k < c->columns && !c->failed; k++)
			(*next)[i * c->columns + k] = (u16)forward_step(&f, n, n->by_number[i]->key, c->sample[k]);
		(*at_end)[i] = matches_at_end(&f, n->by_number[i]->key, false);
	}
	re->states = n->count;
	return !c->failed;
}

/* An empty text is at its beginning and end at once: "^$". The start state's at_end tells of that alone,
 * as no step leads back to it unless it is an ordinary state, which then gets a copy. */
static bool separate_start(struct compiler *c, struct tap_regex *re, u16 *next, u8 *at_end)
{
	struct forward f = { .c = c };
	u8 *key = make(c, c->state_count);
	u32 k, copy = re->states;

	f.reached = make(c, c->state_count);
	if (c->failed)
		return false;
	if (re->start == TAP_REGEX_MATCHED)
		return true;
	key[c->start] = 1;
	if (at_end[re->start] == matches_at_end(&f, key, true))
		return true;
	if ((copy + 1) * c->columns > TAP_REGEX_MOST_CELLS || copy + 1 > MOST_STATES) {
		fail_at(c, 0, "the expression is too complex: its tables would be too large");
		return false;
	}
	for (k = 0; k < c->columns; k++)
		next[copy * c->columns + k] = next[re->start * c->columns + k];
	at_end[copy] = 1;
	re->start = copy;
	re->states++;
	return true;
}

/* ---- from the right ---- */

enum { NOW = 0, MOST_RANKS = 255 };

/* A DFA state's key: for each NFA state that a byte can lead to (a target), whether it is alive and the
 * ranks of the ends of its parts; then whether a match begins here and the choices. */
struct backward {
	struct compiler *c;
	u32 *targets;
	u32 target_count;
	bool *is_target;
	u8 *alive;			/* [states] */
	u8 *ranks;			/* [states][levels] the later an end the higher */
	u8 *choices;			/* of the state being made */
	u32 choice_size;
	u8 *key;
	u32 key_size;
};

static u8 *ranks_of(const struct backward *b, u32 state)
{
	return b->ranks + (u64)state * b->c->levels;
}

static u32 levels_of(const struct compiler *c, u32 state)
{
	return c->parts[c->states[state].part].level + 1;
}

static void copy_ranks(struct backward *b, u32 to, u32 from, u32 levels)
{
	__builtin_memcpy(ranks_of(b, to), ranks_of(b, from), levels);
}

/* Is the second branch of fork I the better one? Both lie in all the parts that the fork lies in. */
static bool other_is_better(const struct backward *b, u32 i)
{
	const struct state *s = &b->c->states[i];
	int order;

	if (!b->alive[s->next] || !b->alive[s->other])
		return b->alive[s->other];
	order = __builtin_memcmp(ranks_of(b, s->next), ranks_of(b, s->other), levels_of(b->c, i));
	return order < 0;
}

/* One state from those it leads to. */
static void settle(struct backward *b, u32 i, bool at_begin, bool at_end)
{
	const struct state *s = &b->c->states[i];
	u32 levels = levels_of(b->c, i);
	u32 from = s->next;

	switch (s->op) {
	case OP_BYTES:
		return;				/* alive from the step */
	case OP_FAIL:
		b->alive[i] = 0;
		return;
	case OP_ACCEPT:				/* a match may end anywhere */
		b->alive[i] = 1;
		ranks_of(b, i)[0] = NOW;
		return;
	case OP_FORK:
		if (other_is_better(b, i)) {
			b->choices[s->fork / 8] |= (u8)(1 << s->fork % 8);
			from = s->other;
		}
		break;
	case OP_BOL:
		if (!at_begin) {
			b->alive[i] = 0;
			return;
		}
		break;
	case OP_EOL:
		if (!at_end) {
			b->alive[i] = 0;
			return;
		}
		break;
	}
	b->alive[i] = b->alive[from];
	if (!b->alive[i])
		return;
	copy_ranks(b, i, from, s->op == OP_END ? levels - 1 : levels);
	if (s->op == OP_END)
		ranks_of(b, i)[levels - 1] = NOW;
}

/* Ranks of the ends of PART at LEVEL, made dense over the targets in it. */
static void pack_ranks(struct backward *b, u32 part, u32 level)
{
	u8 dense[256] = { 0 };
	struct compiler *c = b->c;
	u32 i, rank, next = 1;
	bool pass;

	for (pass = false; ; pass = true) {
		for (i = 0; i < b->target_count; i++) {
			u32 t = b->targets[i];
			u32 p = c->states[t].part;

			while (c->parts[p].level > level)
				p = c->parts[p].parent;
			if (!b->alive[t] || p != part || levels_of(c, t) <= level)
				continue;
			if (pass)
				ranks_of(b, t)[level] = dense[ranks_of(b, t)[level]];
			else
				dense[ranks_of(b, t)[level]] = 1;
		}
		if (pass)
			return;
		for (rank = 0; rank < 256; rank++)
			if (dense[rank])
				dense[rank] = (u8)next++;
		if (next >= MOST_RANKS)
			fail_at(c, 0, "the expression is too complex: too many ways to match");
	}
}

/* Ranks are 1 and up in a key; NOW is free for what ends one byte further to the left. */
static u32 backward_state(struct backward *b, struct numbering *n, bool at_begin, bool at_end)
{
	struct compiler *c = b->c;
	u32 i, size = 0;

	__builtin_memset(b->choices, 0, b->choice_size);
	for (i = 0; i < c->order_count; i++)
		settle(b, c->order[i], at_begin, at_end);
	for (i = 0; i < c->part_count; i++)
		pack_ranks(b, i, c->parts[i].level);
	for (i = 0; i < b->target_count; i++) {
		u32 t = b->targets[i], levels = levels_of(c, t);
		bool counts = b->alive[t] && !at_begin;	/* nothing comes before the beginning */

		b->key[size++] = counts;
		if (counts)
			__builtin_memcpy(b->key + size, ranks_of(b, t), levels);
		else
			__builtin_memset(b->key + size, 0, levels);
		size += levels;
	}
	b->key[size++] = b->alive[c->start];
	__builtin_memcpy(b->key + size, b->choices, b->choice_size);
	return number_of(n, b->key, size + b->choice_size);
}

/* The targets' state from a key, then what BYTE before them makes alive. */
static u32 backward_step(struct backward *b, struct numbering *n, const u8 *key, u8 byte, bool at_begin)
{
	struct compiler *c = b->c;
	u32 i, size = 0;

	__builtin_memset(b->alive, 0, c->state_count);
	for (i = 0; i < b->target_count; i++) {
		u32 t = b->targets[i], levels = levels_of(c, t);

		b->alive[t] = key[size++];
		__builtin_memcpy(ranks_of(b, t), key + size, levels);
		size += levels;
	}
	/* A state may be a target and need a byte itself: first all new ones aside, then over. */
	for (i = 0; i < c->state_count; i++) {
		const struct state *s = &c->states[i];

		if (s->op == OP_BYTES && b->alive[s->next] % 2 && set_has(s->set, byte)) {
			b->alive[i] |= 2;
			copy_ranks(b, c->state_count + i, s->next, levels_of(c, i));
		}
	}
	for (i = 0; i < c->state_count; i++) {
		b->alive[i] >>= 1;
		if (b->alive[i])
			copy_ranks(b, i, c->state_count + i, levels_of(c, i));
	}
	return backward_state(b, n, at_begin, false);
}

static bool backward_open(struct backward *b, struct compiler *c)
{
	u32 i;

	b->c = c;
	b->choice_size = (c->fork_count + 7) / 8;
	b->targets = make(c, (u64)c->state_count * sizeof(*b->targets));
	b->is_target = make(c, c->state_count);
	b->alive = make(c, c->state_count);
	b->ranks = make(c, 2 * (u64)c->state_count * c->levels);
	b->choices = make(c, b->choice_size + 1);
	if (c->failed)
		return false;
	for (i = 0; i < c->state_count; i++)
		if (c->states[i].op == OP_BYTES)
			b->is_target[c->states[i].next] = true;
	for (i = 0; i < c->state_count; i++) {
		if (!b->is_target[i])
			continue;
		b->targets[b->target_count++] = i;
		b->key_size += 1 + levels_of(c, i);
	}
	b->key_size += 1 + b->choice_size;
	b->key = make(c, b->key_size);
	return !c->failed;
}

struct backward_tables {
	u16 *back, *rows;
	u8 *begins, *choices;
};

/* Equal rows of choices once. */
static bool make_rows(struct backward *b, struct numbering *states, struct tap_regex *re,
		      struct backward_tables *t)
{
	struct compiler *c = b->c;
	struct numbering *rows = make(c, sizeof(*rows));
	u32 i;

	if (c->failed || !numbering_open(rows, c, 1))
		return false;
	t->rows = make(c, (u64)states->count * sizeof(*t->rows));
	t->begins = make(c, states->count);
	if (c->failed)
		return false;
	for (i = 0; i < states->count; i++) {
		const u8 *choices = states->by_number[i]->key + b->key_size - b->choice_size;

		t->begins[i] = choices[-1];
		t->rows[i] = (u16)number_of(rows, choices, b->choice_size);
	}
	t->choices = make(c, (u64)rows->count * b->choice_size + 1);
	if (c->failed)
		return false;
	for (i = 0; i < rows->count; i++)
		__builtin_memcpy(t->choices + i * b->choice_size, rows->by_number[i]->key, b->choice_size);
	re->choice_rows = rows->count;
	re->choice_size = b->choice_size;
	return true;
}

static bool make_backward(struct compiler *c, struct tap_regex *re, struct backward_tables *t)
{
	struct numbering *n = make(c, sizeof(*n));
	struct backward b = { 0 };
	u32 i, k, columns = c->columns * (1 + c->has_bol);

	if (c->failed || !backward_open(&b, c) || !numbering_open(n, c, columns))
		return false;
	t->back = make(c, (u64)n->most * columns * sizeof(*t->back));
	if (!t->back)
		return false;
	re->back_start = backward_state(&b, n, false, true);
	__builtin_memset(b.alive, 0, c->state_count);
	re->back_start_empty = backward_state(&b, n, true, true);
	for (i = 0; i < n->count && !c->failed; i++)
		for (k = 0; k < columns && !c->failed; k++)
			t->back[i * columns + k] = (u16)backward_step(&b, n, n->by_number[i]->key,
					c->sample[k % c->columns], k >= c->columns);
	re->back_states = n->count;
	re->back_columns = columns;
	return !c->failed && make_rows(&b, n, re, t);
}

/* ---- the result ---- */

/* States that only mattered here are left out of the walk. */
static u32 skip(const struct compiler *c, u32 i)
{
	while (c->states[i].op == OP_END || c->states[i].op == OP_BOL || c->states[i].op == OP_EOL)
		i = c->states[i].next;
	return i;
}

/* Nodes of the walk for the states, the start first. */
static struct tap_regex_node *make_nodes(struct compiler *c, u32 *count)
{
	static const u8 ops[] = {
		[OP_ACCEPT] = TAP_NODE_ACCEPT, [OP_FAIL] = TAP_NODE_ACCEPT, [OP_BYTES] = TAP_NODE_BYTE,
		[OP_FORK] = TAP_NODE_FORK, [OP_OPEN] = TAP_NODE_OPEN, [OP_CLOSE] = TAP_NODE_CLOSE,
	};
	struct tap_regex_node *nodes = make(c, (u64)c->state_count * sizeof(*nodes));
	u16 *number = make(c, (u64)c->state_count * sizeof(*number));
	u32 i, start;

	*count = 0;
	if (c->failed)
		return NULL;
	start = skip(c, c->start);
	number[start] = (u16)(*count)++;
	for (i = 0; i < c->state_count; i++)
		if (i != start && skip(c, i) == i)
			number[i] = (u16)(*count)++;
	for (i = 0; i < c->state_count; i++) {
		const struct state *s = &c->states[i];
		struct tap_regex_node *n = &nodes[number[i]];

		if (skip(c, i) != i)
			continue;
		n->op = ops[s->op];
		n->group = s->group;
		n->last_group = s->last_group;
		n->fork = s->fork;
		if (s->op != OP_ACCEPT && s->op != OP_FAIL)
			n->next = number[skip(c, s->next)];
		if (s->op == OP_FORK)
			n->other = number[skip(c, s->other)];
	}
	return nodes;
}

static const void *place(char **at, const void *from, u64 size)
{
	void *to = *at;

	__builtin_memcpy(to, from, size);
	*at += (size + 7) & ~(u64)7;
	return to;
}

static struct tap_regex *gather(struct compiler *c, const struct tap_regex *sizes, const u16 *next,
				const u8 *at_end, const struct backward_tables *t,
				const struct tap_regex_node *nodes)
{
	u64 cells = (u64)sizes->states * sizes->columns * sizeof(*next);
	u64 back_cells = (u64)sizes->back_states * sizes->back_columns * sizeof(*next);
	u64 choices = (u64)sizes->choice_rows * sizes->choice_size;
	struct tap_regex *re = tap_alloc(sizeof(*re) + 256 + cells + sizes->states + back_cells +
					 sizes->back_states * 3ull + choices +
					 (u64)sizes->node_count * sizeof(*nodes) + 10 * 8);
	char *at = (char *)(re + 1);

	if (!re)
		return fail(c, "out of memory");
	*re = *sizes;
	re->classes = place(&at, c->classes, 256);
	re->next = place(&at, next, cells);
	re->at_end = place(&at, at_end, sizes->states);
	if (!t)
		return re;
	re->back = place(&at, t->back, back_cells);
	re->begins = place(&at, t->begins, sizes->back_states);
	re->rows = place(&at, t->rows, sizes->back_states * sizeof(*t->rows));
	re->choices = place(&at, t->choices, choices);
	re->nodes = place(&at, nodes, (u64)sizes->node_count * sizeof(*nodes));
	return re;
}

static struct tap_regex *compile(struct compiler *c, bool groups)
{
	struct tap_regex sizes = { 0 };
	struct backward_tables t;
	struct tap_regex_node *nodes = NULL;
	struct node *tree = parse_alternatives(c);
	u16 *next;
	u8 *at_end;

	if (tree && more(c))
		return fail(c, "unmatched )");
	if (!tree || !build_states(c, tree) || !make_forward(c, &sizes, &next, &at_end) ||
	    !separate_start(c, &sizes, next, at_end))
		return NULL;
	sizes.columns = c->columns;
	sizes.groups = c->groups;
	if (groups) {
		if (!make_backward(c, &sizes, &t))
			return NULL;
		nodes = make_nodes(c, &sizes.node_count);
		if (!nodes)
			return NULL;
	}
	return gather(c, &sizes, next, at_end, groups ? &t : NULL, nodes);
}

struct tap_regex *tap_regex_compile(const char *pattern, u32 size, bool groups,
				    struct tap_regex_error *error)
{
	struct compiler c = { .text = pattern, .size = size, .error = error, .groups = 1 };
	struct tap_regex *re = compile(&c, groups);
	struct block *b, *next;

	for (b = c.blocks; b; b = next) {
		next = b->next;
		tap_free(b);
	}
	return re;
}

void tap_regex_free(struct tap_regex *re)
{
	tap_free(re);
}
