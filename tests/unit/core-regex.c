/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Regular expressions: random ones compared with a naive implementation of POSIX's rules on
 * their tree, including groups, and with libc's regexec for the position of the match; syntax,
 * errors, limits. */
#include <regex.h>
#include "core-test.h"
#include "core/regex.h"
#include "core/regex_compile.h"

static struct tap_context *c;

/* ---- random expressions, as a tree and as text ---- */

enum kind { LETTER, ANY, BRACKET, BOL, EOL, CAT, ALT, STAR, PLUS, OPT, BOUND, GROUP };

struct tree {
	enum kind kind;
	struct tree *a, *b;
	int group, last, least, most;
	bool set[256];
};

static struct tree pool[256];
static u32 pooled;
static int groups;
static char pattern[4096], *end;
static const char *text;
static int text_size;
static u32 work;		/* a naive match that takes too long is abandoned */

static struct tree *grow(u32 size);

static struct tree *leaf(void)
{
	struct tree *t = &pool[pooled++];
	u64 r = random_below(20);

	memset(t, 0, sizeof(*t));
	if (r == 0) {
		t->kind = BOL;
		*end++ = '^';
	} else if (r == 1) {
		t->kind = EOL;
		*end++ = '$';
	} else if (r == 2) {
		t->kind = ANY;
		*end++ = '.';
		memset(t->set, 1, sizeof(t->set));
	} else if (r <= 4) {
		u32 i;
		bool invert = random_below(2);

		t->kind = BRACKET;
		end += sprintf(end, "[%s", invert ? "^" : "");
		for (i = 0; i < 1 + random_below(2); i++) {
			char l = (char)('a' + random_below(4));

			t->set[(u8)l] = true;
			*end++ = l;
		}
		*end++ = ']';
		if (invert)
			for (i = 0; i < 256; i++)
				t->set[i] = !t->set[i];
	} else {
		char l = (char)('a' + random_below(3));

		t->kind = LETTER;
		t->set[(u8)l] = true;
		*end++ = l;
	}
	return t;
}

/* An atom: can be repeated. */
static struct tree *atom(u32 size)
{
	struct tree *t;

	if (size < 2 || groups >= 12) {
		do {
			char *back = end;

			t = leaf();
			if (t->kind != BOL && t->kind != EOL)
				return t;
			end = back;
			pooled--;
		} while (1);
	}
	t = &pool[pooled++];
	memset(t, 0, sizeof(*t));
	t->kind = GROUP;
	t->group = groups++;
	*end++ = '(';
	t->a = grow(size - 1);
	*end++ = ')';
	t->last = groups - 1;
	return t;
}

static struct tree *repeated(u32 size)
{
	struct tree *t = &pool[pooled++];

	memset(t, 0, sizeof(*t));
	t->a = atom(size - 1);
	switch (random_below(7)) {
	case 0: case 1: t->kind = STAR; *end++ = '*'; break;
	case 2: case 3: t->kind = PLUS; *end++ = '+'; break;
	case 4: case 5: t->kind = OPT; *end++ = '?'; break;
	default:
		t->kind = BOUND;
		t->least = (int)random_below(3);
		t->most = random_below(3) ? t->least + (int)random_below(3) : -1;
		if (t->most < 0)
			end += sprintf(end, "{%d,}", t->least);
		else if (t->most == t->least && random_below(2))
			end += sprintf(end, "{%d}", t->least);
		else
			end += sprintf(end, "{%d,%d}", t->least, t->most);
	}
	return t;
}

static struct tree *piece(u32 size)
{
	if (size < 2)
		return leaf();
	return random_below(2) ? repeated(size) : atom(size);
}

static struct tree *sequence(u32 size)
{
	struct tree *t;
	u32 left;

	if (size < 2 || !random_below(4))
		return piece(size);
	t = &pool[pooled++];
	memset(t, 0, sizeof(*t));
	t->kind = CAT;
	left = 1 + (u32)random_below(size - 1);
	t->a = piece(left);
	t->b = sequence(size - left);
	return t;
}

static struct tree *grow(u32 size)
{
	struct tree *t;
	u32 left;

	if (size < 3 || random_below(3))
		return sequence(size);
	t = &pool[pooled++];
	memset(t, 0, sizeof(*t));
	t->kind = ALT;
	left = 1 + (u32)random_below(size - 2);
	t->a = sequence(left);
	*end++ = '|';
	t->b = grow(size - left - 1);
	return t;
}

/* ---- POSIX, literally ---- */

static bool fits(const struct tree *t, int i, int j);

/* MOST < 0: any number of iterations. Iterations beyond LEAST must match something. */
static bool turns_fit(const struct tree *body, int least, int most, int i, int j)
{
	int k;

	if (++work > 3000000)
		return false;
	if (least > 0) {
		for (k = i; k <= j; k++)
			if (fits(body, i, k) && turns_fit(body, least - 1, most < 0 ? -1 : most - 1, k, j))
				return true;
		return false;
	}
	if (i == j)
		return true;
	if (most == 0)
		return false;
	for (k = i + 1; k <= j; k++)
		if (fits(body, i, k) && turns_fit(body, 0, most < 0 ? -1 : most - 1, k, j))
			return true;
	return false;
}

static void bounds(const struct tree *t, int *least, int *most)
{
	*least = t->kind == PLUS ? 1 : t->kind == BOUND ? t->least : 0;
	*most = t->kind == OPT ? 1 : t->kind == BOUND ? t->most : -1;
}

static bool fits(const struct tree *t, int i, int j)
{
	int k, least, most;

	if (++work > 3000000)
		return false;
	switch (t->kind) {
	case LETTER: case ANY: case BRACKET:
		return j == i + 1 && t->set[(u8)text[i]];
	case BOL:
		return i == j && i == 0;
	case EOL:
		return i == j && i == text_size;
	case CAT:
		for (k = i; k <= j; k++)
			if (fits(t->a, i, k) && fits(t->b, k, j))
				return true;
		return false;
	case ALT:
		return fits(t->a, i, j) || fits(t->b, i, j);
	case GROUP:
		return fits(t->a, i, j);
	default:
		bounds(t, &least, &most);
		return turns_fit(t->a, least, most, i, j);
	}
}

static int starts[16], ends[16];

static void assign(const struct tree *t, int i, int j);

static void assign_turns(const struct tree *body, int least, int most, int i, int j, bool first)
{
	int k;

	while (most != 0) {
		/* A required iteration may match nothing; so may the first one if there is nothing to match. */
		int shortest = least > 0 ? i : i + 1;

		if (i == j && least <= 0 && !(first && fits(body, i, i)))
			return;
		if (i == j && least <= 0)
			shortest = i;
		for (k = j; k >= shortest; k--)
			if (fits(body, i, k) &&
			    turns_fit(body, least > 0 ? least - 1 : 0, most < 0 ? -1 : most - 1, k, j))
				break;
		if (k < shortest)
			return;
		assign(body, i, k);
		i = k;
		least--;
		most -= most > 0;
		first = false;
	}
}

static void assign(const struct tree *t, int i, int j)
{
	int k, least, most;

	switch (t->kind) {
	case CAT:
		for (k = j; k > i; k--)
			if (fits(t->a, i, k) && fits(t->b, k, j))
				break;
		assign(t->a, i, k);
		assign(t->b, k, j);
		break;
	case ALT:
		assign(fits(t->a, i, j) ? t->a : t->b, i, j);
		break;
	case GROUP:
		for (k = t->group; k <= t->last; k++)
			starts[k] = ends[k] = -1;
		assign(t->a, i, j);
		starts[t->group] = i;
		ends[t->group] = j;
		break;
	case STAR: case PLUS: case OPT: case BOUND:
		bounds(t, &least, &most);
		assign_turns(t->a, least, most, i, j, true);
		break;
	default:
		break;
	}
}

static bool naive(const struct tree *t)
{
	int i, j;

	work = 0;
	for (i = 0; i < groups; i++)
		starts[i] = ends[i] = -1;
	for (i = 0; i <= text_size; i++)
		for (j = text_size; j >= i; j--)
			if (fits(t, i, j)) {
				assign(t, i, j);
				starts[0] = i;
				ends[0] = j;
				return true;
			}
	return false;
}

/* ---- comparing ---- */

static void compare_libc(bool matched)
{
	regmatch_t m[1];			/* with more, glibc hangs on some expressions */
	regex_t re;

	/* glibc lets ^ match after the first iteration of a repetition, and the like. */
	if (strpbrk(pattern, "^$") && strpbrk(pattern, "*+{?"))
		return;
	if (regcomp(&re, pattern, REG_EXTENDED))
		return;
	if ((regexec(&re, text, 1, m, 0) == 0) != matched ||
	    (matched && (m[0].rm_so != starts[0] || m[0].rm_eo != ends[0])))
		fail(__FILE__, __LINE__, "libc differs on /%s/ in '%s': %d-%d, not %d-%d", pattern, text,
		     matched ? starts[0] : -1, ends[0], (int)m[0].rm_so, (int)m[0].rm_eo);
	regfree(&re);
}

static void compare(const struct tree *t, const struct tap_regex *re, const struct tap_regex *plain)
{
	struct tap_string s = { text, (u32)text_size };
	struct tap_groups *g = tap_host_groups(c);
	bool wanted = naive(t);
	int i;

	if (work > 3000000)
		return;
	compare_libc(wanted);
	if (tap_regex_match(c, plain, s) != wanted || tap_regex_match(c, re, s) != wanted) {
		fail(__FILE__, __LINE__, "/%s/ in '%s': should be %d", pattern, text, wanted);
		return;
	}
	CHECK(g->matched == wanted);
	if (!wanted)
		return;
	for (i = 0; i < groups; i++) {
		bool set = g->at[i].start <= g->at[i].end;

		if (set != (starts[i] >= 0) ||
		    (set && ((int)g->at[i].start != starts[i] || (int)g->at[i].end != ends[i])))
			fail(__FILE__, __LINE__, "/%s/ in '%s': group %d is %d-%d, not %d-%d", pattern, text, i,
			     (int)g->at[i].start, (int)g->at[i].end, starts[i], ends[i]);
	}
}

static void random_expressions(u32 rounds)
{
	struct tap_regex_error error;
	u32 round, i, refused = 0;

	for (round = 0; round < rounds && !failures; round++) {
		struct tree *t;
		struct tap_regex *re, *plain;

		pooled = 0;
		groups = 1;
		end = pattern;
		t = grow(1 + (u32)random_below(14));
		*end = 0;
		re = tap_regex_compile(pattern, (u32)(end - pattern), true, &error);
		plain = tap_regex_compile(pattern, (u32)(end - pattern), false, &error);
		if (!re) {
			if (!strstr(error.text, "too"))
				fail(__FILE__, __LINE__, "/%s/: %s", pattern, error.text);
			refused++;
			tap_regex_free(plain);
			continue;
		}
		CHECK(plain && !plain->back && plain->groups == re->groups && (int)re->groups == groups);
		for (i = 0; i < 12; i++) {
			char buffer[16];
			int j;

			text_size = (int)random_below(i < 2 ? 3 : 10);
			for (j = 0; j < text_size; j++)
				buffer[j] = (char)('a' + random_below(4));
			buffer[text_size] = 0;
			text = strdup(buffer);
			compare(t, re, plain);
			free((char *)text);
		}
		tap_regex_free(re);
		tap_regex_free(plain);
	}
	if (refused > rounds / 50)
		fail(__FILE__, __LINE__, "%u of %u expressions are too complex", refused, rounds);
	CHECK(!c->error);
}

/* ---- individual cases ---- */

/* MATCHES: the text of group 0, 1 ..., separated by commas; NULL: no match. */
static void try(int line, const char *re_text, const char *s, const char *matches)
{
	struct tap_regex_error error = { 0, NULL };
	struct tap_regex *re = tap_regex_compile(re_text, (u32)strlen(re_text), true, &error);
	char got[256] = "";
	s64 i;

	if (!re) {
		fail(__FILE__, line, "/%s/ is refused: %s", re_text, error.text);
		return;
	}
	c = host_context();
	if (!tap_regex_match(c, re, text_of(s))) {
		if (matches)
			fail(__FILE__, line, "/%s/ does not match '%s'", re_text, s);
	} else if (!matches) {
		fail(__FILE__, line, "/%s/ matches '%s'", re_text, s);
	} else {
		for (i = 0; i < tap_ngroups(c); i++)
			sprintf(got + strlen(got), "%s%s", i ? "," : "", tap_matched(c, i).data);
		if (strcmp(got, matches))
			fail(__FILE__, line, "/%s/ in '%s' gives '%s', not '%s'", re_text, s, got, matches);
	}
	tap_regex_free(re);
}
#define TRY(re, s, matches) try(__LINE__, re, s, matches)

static void syntax(void)
{
	TRY("str(ing)", "an example string", "string,ing");		/* stap.1 */
	TRY("a|(b)", "xa", "a,");
	TRY("", "abc", "");
	TRY("()", "abc", ",");
	TRY("a||b", "b", "b");
	TRY("^abc$", "abc", "abc");
	TRY("^abc$", "abcd", NULL);
	TRY("^$", "", "");
	TRY("^$", "a", NULL);
	TRY("^", "", "");
	TRY("$", "", "");
	TRY("a$", "aba", "a");
	TRY("^a|b$", "cb", "b");
	TRY("(^|,)x($|,)", "y,x,z", ",x,,,,,");
	TRY("(^a|b)+", "abb", "abb,b");
	TRY("a.c", "a\nc", "a\nc");
	TRY("[]a]+", "x]a]", "]a]");
	TRY("[^]a]+", "]xy]", "xy");
	TRY("[a-c-]+", "xb-cd", "b-c");
	TRY("[[:alpha:]_][[:alnum:]_]*", "9 foo_1!", "foo_1");
	TRY("[[:digit:][:space:]]+", "a1 2b", "1 2");
	TRY("[[.-.]x]+", "a-x", "-x");
	TRY("[[=a=]b]+", "cab", "ab");
	TRY("[\\]+", "a\\b", "\\");
	TRY("\\.\\*\\[", "x.*[", ".*[");
	TRY("\\w+\\W\\w+", "to me", "to me");
	TRY("\\S+\\s\\S+", "to\tme", "to\tme");
	TRY("\\t\\n", "\t\n", "\t\n");
	TRY("a{2}", "aaa", "aa");
	TRY("a{2,}", "caaa", "aaa");
	TRY("a{1,2}", "aaa", "aa");
	TRY("a{,2}b", "aaab", "aab");
	TRY("a{0}b", "ab", "b");
	TRY("(ab){2}", "ababab", "abab,ab");
	TRY("a{", "a{", "a{");
	TRY("a{x}", "a{x}", "a{x}");
	TRY("}", "}", "}");
	TRY("a]", "a]", "a]");
	TRY("\\{2", "{2", "{2");
	TRY("xa+++++++++++++++++++++b", "xaab", "xaab");
	TRY("(a)?+b", "aab", "aab,a");
	TRY("a??b", "aab", "ab");
	TRY("(a){2}*b", "aaaab", "aaaab,a");
}

static void posix(void)
{
	TRY("(a|ab)(c|bcd)(d*)", "abcd", "abcd,ab,c,d");
	TRY("(a|ab)(bcd|c)(d*)", "abcd", "abcd,ab,c,d");
	TRY("(a*)(ab)*(b*)", "abb", "abb,a,,bb");
	TRY("(a*)+", "b", ",");
	TRY("(a*)*", "aa", "aa,aa");
	TRY("((a)|b)*", "ab", "ab,b,");
	TRY("(a|b)*c|(a|ab)*c", "abc", "abc,b,");
	TRY("x*(a|ab|abc)(bcd|d)?", "xabcd", "xabcd,abc,d");
	TRY("(.*)(.*)", "abc", "abc,abc,");
	TRY("(.?)(.?)(.?)", "ab", "ab,a,b,");
	TRY("([a-z]+)://([^/:]+)(:([0-9]+))?(/.*)?", "see http://host:80/x y",
	    "http://host:80/x y,http,host,:80,80,/x y");
}

static void errors(void)
{
	static const struct { const char *re; u32 position; const char *text; } bad[] = {
		{ "ab(c", 2, "unmatched (" }, { "ab)c", 2, "unmatched )" }, { "x[ab", 1, "unmatched [" },
		{ "*a", 0, "nothing to repeat" }, { "a|+", 2, "nothing to repeat" },
		{ "(?a)", 1, "nothing to repeat" }, { "{1}", 0, "nothing to repeat" },
		{ "a{2,1}", 1, "malformed {m,n}" }, { "a{1", 1, "malformed {m,n}" },
		{ "a{1,x}", 1, "malformed {m,n}" }, { "a{256}", 2, "a repetition count above 255" },
		{ "[b-a]", 1, "the range ends before it begins" },
		{ "[[:word:]]", 3, "unknown character class" },
		{ "[[.space.]]", 1, "only single characters are supported in [.x.] and [=x=]" },
		{ "(a)\\1", 3, "references to subexpressions (\\1) are not supported" },
		{ "\\bx", 0, "this escape is not supported" }, { "\\<x", 0, "this escape is not supported" },
		{ "ab\\", 2, "\\ at the end" },
		{ "(a|b)*a(a|b){20}", 0, "the expression is too complex: its tables would be too large" },
		{ "((((a?){200}){200}){200}){200}", 0, NULL },
		{ "((a{99}){99}){99}", 0, NULL },
	};
	u32 i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct tap_regex_error error = { 0, NULL };
		struct tap_regex *re = tap_regex_compile(bad[i].re, (u32)strlen(bad[i].re), true, &error);

		if (re || (bad[i].text && (error.position != bad[i].position || strcmp(error.text, bad[i].text))))
			fail(__FILE__, __LINE__, "/%s/: %s at %u", bad[i].re, error.text, error.position);
		tap_regex_free(re);
	}
	{
		struct tap_regex_error error;
		char many[200], deep[400];

		for (i = 0; i < 32; i++)
			memcpy(many + 3 * i, "(a)", 4);
		CHECK(!tap_regex_compile(many, 96, true, &error) && error.position == 93);
		memset(deep, '(', 150);
		CHECK(!tap_regex_compile(deep, 150, true, &error));
	}
}

static void after_a_match(void)
{
	struct tap_regex_error error;
	struct tap_regex *re = tap_regex_compile("b(x)?", 5, true, &error);
	char text[] = "abc";

	c = host_context();
	tap_host_groups(c)->matched = false;	/* as at the start of a handler */
	CHECK_TEXT(tap_matched(c, 0), "");
	CHECK(c->error && !strcmp(c->error, "no successful match with =~ before this"));
	c = host_context();
	CHECK(tap_regex_match(c, re, text_of(text)));
	memset(text, 'z', 3);			/* the text was copied */
	CHECK_TEXT(tap_matched(c, 0), "b");
	CHECK_TEXT(tap_matched(c, 1), "");
	CHECK_LONG(tap_ngroups(c), 2);
	CHECK(!c->error);
	tap_matched(c, 2);
	CHECK(c->error != NULL);
	c = host_context();
	tap_matched(c, -1);
	CHECK(c->error != NULL);
	c = host_context();
	CHECK(!tap_regex_match(c, re, text_of(text)));
	tap_matched(c, 0);
	CHECK(c->error != NULL);
	c = host_context();
	tap_ngroups(c);
	CHECK(c->error != NULL);
	c = host_context();
	c->scratch = c->scratch_end;
	CHECK(!tap_regex_match(c, re, text_of("ab")) && c->error);
	host_groups_wanted = false;
	c = host_context();
	c->scratch = c->scratch_end;
	CHECK(tap_regex_match(c, re, text_of("ab")) && !c->error);	/* takes no scratch */
	host_groups_wanted = true;
	c = host_context();
	tap_regex_free(re);
}

static void no_memory(void)
{
	struct tap_regex_error error;
	u32 i;

	for (i = 0; i < 30; i++) {
		struct tap_regex *re;

		host_fail_allocation = i;
		re = tap_regex_compile("(a|b)*c", 7, true, &error);
		CHECK(!re == (host_fail_allocation < 0));
		if (!re)
			CHECK(!strcmp(error.text, "out of memory"));
		host_fail_allocation = -1;
		tap_regex_free(re);
	}
}

int main(int argc, char **argv)
{
	random_start(argc > 1 ? (u64)atoi(argv[1]) : 1);
	c = host_context();
	syntax();
	posix();
	errors();
	after_a_match();
	no_memory();
	c = host_context();
	random_expressions(argc > 2 ? (u32)atoi(argv[2]) : 4000);
	return report("core-regex");
}
