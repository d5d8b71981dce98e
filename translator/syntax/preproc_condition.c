/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The conditions of %( ... %?: comparisons joined by && and ||, where && binds tighter; there are no
 * parentheses. The first word determines what it can be compared with. All comparisons are parsed, even
 * if the first one decides, so that a misspelt one is reported on every machine. */
#include "preproc_condition.h"

#include <stdlib.h>
#include <string.h>

#include "source/diag.h"
#include "preproc.h"
#include "base/util.h"

enum verdict { FALSE, TRUE, WRONG = -1 };

static void advance(struct condition_input *in)
{
	in->token = in->next(in->data);
}

static enum verdict wrong(struct condition_input *in, const char *expected)
{
	const struct token *t = &in->token;

	if (t->kind == TOKEN_BAD)
		lex_complain(t);
	else
		diag_error(t->span, "expected %s in the condition, found %s", expected,
			   token_found(in->arena, t));
	return WRONG;
}

static bool is_comparison(enum token_kind k)
{
	return k == TOKEN_EQ || k == TOKEN_NE || k == TOKEN_LT || k == TOKEN_LE ||
	       k == TOKEN_GT || k == TOKEN_GE;
}

static enum verdict ordered(enum token_kind op, int order)
{
	switch (op) {
	case TOKEN_EQ:
		return order == 0;
	case TOKEN_NE:
		return order != 0;
	case TOKEN_LT:
		return order < 0;
	case TOKEN_LE:
		return order <= 0;
	case TOKEN_GT:
		return order > 0;
	default:
		return order >= 0;
	}
}

/* The comparison operator; TOKEN_BAD after a message. EQUALITY: only == and != are allowed. */
static enum token_kind read_comparison(struct condition_input *in, bool equality)
{
	enum token_kind op = in->token.kind;

	if (equality ? op != TOKEN_EQ && op != TOKEN_NE : !is_comparison(op)) {
		wrong(in, equality ? "'==' or '!='" : "a comparison (== != < <= > >=)");
		return TOKEN_BAD;
	}
	advance(in);
	return op;
}

/* kernel_v >= "5.10", systemtap_v < "4.0"; wildcards only with == and !=. */
static enum verdict compare_version(struct condition_input *in, const char *value)
{
	enum token_kind op = read_comparison(in, false);
	const char *pattern = in->token.text;

	if (op == TOKEN_BAD)
		return WRONG;
	if (in->token.kind != TOKEN_STRING)
		return wrong(in, "a version as a string");
	if (is_glob(pattern) && op != TOKEN_EQ && op != TOKEN_NE) {
		diag_error(in->token.span, "wildcards are allowed only with == and !=");
		return WRONG;
	}
	advance(in);
	if (is_glob(pattern))
		return ordered(op, !glob_match(pattern, value));
	return ordered(op, strverscmp(value, pattern));
}

static enum verdict compare_pattern(struct condition_input *in, const char *value)
{
	enum token_kind op = read_comparison(in, true);
	const char *pattern = in->token.text;

	if (op == TOKEN_BAD)
		return WRONG;
	if (in->token.kind != TOKEN_STRING)
		return wrong(in, "a string");
	advance(in);
	return ordered(op, !glob_match(pattern, value));
}

static enum verdict compare_privilege(struct condition_input *in)
{
	enum token_kind op = read_comparison(in, true);
	const char *value = in->target->privilege;
	enum verdict v;

	if (op == TOKEN_BAD)
		return WRONG;
	if (in->token.kind != TOKEN_STRING)
		return wrong(in, "\"stapusr\", \"stapsys\" or \"stapdev\"");
	v = ordered(op, strcmp(value ? value : "", in->token.text));
	advance(in);
	return v;
}

static enum verdict compare_guru(struct condition_input *in)
{
	enum token_kind op = read_comparison(in, true);
	enum verdict v;

	if (op == TOKEN_BAD)
		return WRONG;
	if (in->token.kind != TOKEN_NUMBER || (in->token.number & ~1))
		return wrong(in, "0 or 1");
	v = ordered(op, in->token.number != in->target->guru_mode);
	advance(in);
	return v;
}

static const char *config_value(const struct condition_input *in, const char *name)
{
	const struct preproc_target *t = in->target;
	const char *value = t->config ? t->config(t->config_data, name) : NULL;

	return value ? value : "";
}

/* The value as a number; false if it is not a number. The number of an unset option is 0. */
static bool config_number(const char *value, int64_t *number)
{
	char *end;

	*number = strtoll(value, &end, 0);
	return !*value || (end != value && !*end);
}

static enum verdict compare_numbers(enum token_kind op, int64_t left, int64_t right)
{
	return ordered(op, (left > right) - (left < right));
}

/* CONFIG_X >= 100, >= CONFIG_Y; compared as text if one of them is not a number. */
static enum verdict compare_config_values(struct condition_input *in, enum token_kind op,
					  const char *left, struct token right)
{
	const char *other = right.kind == TOKEN_NAME ? config_value(in, right.text) : "";
	bool any_number = right.kind == TOKEN_NUMBER || *left || *other;
	int64_t a, b = right.number;

	if (any_number && config_number(left, &a) && (right.kind == TOKEN_NUMBER || config_number(other, &b)))
		return compare_numbers(op, a, b);
	if (right.kind == TOKEN_NUMBER)
		return op == TOKEN_NE;
	return ordered(op, strcmp(left, other));
}

/* CONFIG_X == "y", >= 100, >= CONFIG_Y. An unset option is "", or 0 when compared with a number. */
static enum verdict compare_config(struct condition_input *in, const char *name)
{
	const char *value = config_value(in, name);
	struct token at = in->token, right;
	enum token_kind op = read_comparison(in, false);

	right = in->token;
	if (op == TOKEN_BAD)
		return WRONG;
	if (right.kind != TOKEN_STRING && right.kind != TOKEN_NUMBER &&
	    !(right.kind == TOKEN_NAME && str_starts(right.text, "CONFIG_")))
		return wrong(in, "a string, a number or CONFIG_...");
	if (right.kind == TOKEN_STRING && op != TOKEN_EQ && op != TOKEN_NE) {
		in->token = at;
		return wrong(in, "'==' or '!='");
	}
	advance(in);
	if (right.kind == TOKEN_STRING)
		return ordered(op, !glob_match(right.text, value));
	return compare_config_values(in, op, value, right);
}

/* Two literals, usually arguments of the script. */
static enum verdict compare_literals(struct condition_input *in)
{
	struct token left = in->token, right;
	enum token_kind op;

	advance(in);
	op = read_comparison(in, false);
	right = in->token;
	if (op == TOKEN_BAD)
		return WRONG;
	if (right.kind != left.kind)
		return wrong(in, left.kind == TOKEN_STRING ? "a string" : "a number");
	advance(in);
	if (left.kind == TOKEN_STRING)
		return ordered(op, strcmp(left.text, right.text));
	return compare_numbers(op, left.number, right.number);
}

/* The value of a version word; NULL if WORD is another word. */
static const char *version_value(const struct preproc_target *t, const char *word)
{
	const char *value;

	if (str_equal(word, "kernel_v"))
		value = t->kernel_v;
	else if (str_equal(word, "kernel_vr"))
		value = t->kernel_vr;
	else if (str_equal(word, "systemtap_v"))
		value = t->systemtap_v;
	else
		return NULL;
	return value ? value : "";
}

static const char *pattern_value(const struct preproc_target *t, const char *word)
{
	const char *value;

	if (str_equal(word, "arch"))
		value = t->arch;
	else if (str_equal(word, "runtime"))
		value = t->runtime;
	else
		return NULL;
	return value ? value : "";
}

static enum verdict read_word(struct condition_input *in)
{
	const char *word = in->token.text;
	const char *version = version_value(in->target, word);
	const char *value = pattern_value(in->target, word);
	struct token at = in->token;

	advance(in);
	if (version)
		return compare_version(in, version);
	if (value)
		return compare_pattern(in, value);
	if (str_starts(word, "CONFIG_"))
		return compare_config(in, word);
	if (str_equal(word, "systemtap_privilege"))
		return compare_privilege(in);
	if (str_equal(word, "guru_mode"))
		return compare_guru(in);
	diag_error(at.span, "unknown condition '%s'", word);
	diag_note(at.span, "conditions are kernel_v, kernel_vr, arch, CONFIG_..., systemtap_v, "
			   "systemtap_privilege, guru_mode, runtime; $1 and @1; for a target "
			   "variable, if (@defined($x)) in the handler");
	return WRONG;
}

static enum verdict read_one(struct condition_input *in)
{
	switch (in->token.kind) {
	case TOKEN_STRING:
	case TOKEN_NUMBER:
		return compare_literals(in);
	case TOKEN_NAME:
		return read_word(in);
	default:
		return wrong(in, "a word like kernel_v, a string or a number");
	}
}

static enum verdict read_and(struct condition_input *in)
{
	enum verdict v = read_one(in);

	while (v != WRONG && in->token.kind == TOKEN_LAND) {
		enum verdict right;

		advance(in);
		right = read_one(in);
		v = right == WRONG ? WRONG : (v && right);
	}
	return v;
}

int condition_value(struct condition_input *in)
{
	enum verdict v;

	advance(in);
	v = read_and(in);
	while (v != WRONG && in->token.kind == TOKEN_LOR) {
		enum verdict right;

		advance(in);
		right = read_and(in);
		v = right == WRONG ? WRONG : (v || right);
	}
	if (v != WRONG && in->token.kind != TOKEN_IF_THEN)
		return wrong(in, "'%?'");
	return v;
}
