/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Named options of scripts: see script_options.h. */
#include "script_options.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/util.h"

/* ---- declarations ---- */

static bool is_option_name(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!is_identifier_char(s[i]) && s[i] != '-')
			return false;
	return n && isalpha((unsigned char)*s) && s[n - 1] != '-';
}

/* The name of an option and its variable may differ in '-' and '_'. */
static bool is_same_name(const char *name, const char *word, size_t n)
{
	if (strlen(name) != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (name[i] != word[i] && !(strchr("-_", name[i]) && strchr("-_", word[i])))
			return false;
	return true;
}

const char *declared_set_name(struct declared_option *o, struct arena *a, const char *text)
{
	const char *bar = strchr(text, '|');
	size_t n = bar ? (size_t)(bar - text) : strlen(text);

	if (!is_option_name(text, n) || (bar && (!isalpha((unsigned char)bar[1]) || bar[2])))
		return "expected the name of the option, or NAME|LETTER";
	o->name = arena_strndup(a, text, n);
	o->letter = bar ? bar[1] : 0;
	if (is_same_name(o->name, "help", 4) || o->letter == 'h')
		return "--help and -h list the options: choose another name";
	return NULL;
}

static const struct unit {
	const char *name;
	int64_t ns;
} units[] = {
	{ "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 }, { "min", 60000000000 },
	{ "h", 3600000000000 },
};

static const struct unit *find_unit(const char *name, size_t n)
{
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (strlen(units[i].name) == n && strncmp(units[i].name, name, n) == 0)
			return &units[i];
	return NULL;
}

/* The whole of TEXT up to END. */
static bool read_number(const char *text, const char *end, int64_t *out)
{
	char *rest;

	if (text == end || isspace((unsigned char)*text))
		return false;
	errno = 0;
	*out = strtoll(text, &rest, 0);
	return rest == end && !errno;
}

/* "1..100"; a bound that is absent is not changed. */
static bool read_range(struct option_values *v, const char *text)
{
	const char *dots = strstr(text, "..");

	if (!dots || str_equal(text, ".."))
		return false;
	return (dots == text || read_number(text, dots, &v->least)) &&
	       (!dots[2] || read_number(dots + 2, text + strlen(text), &v->most)) && v->least <= v->most;
}

/* "ms", "ms 1..100" */
static bool read_time(struct option_values *v, struct arena *a, const char *text)
{
	size_t n = strcspn(text, " ");

	v->unit = arena_strndup(a, text, n);
	v->least = 0;
	return find_unit(text, n) && (!text[n] || (read_range(v, text + n + 1) && v->least >= 0));
}

/* "us|ms": at least two words, none of them empty */
static bool read_words(struct option_values *v, const char *text)
{
	v->words = text;
	return strchr(text, '|') && *text != '|' && !strstr(text, "||") && !str_ends(text, "|");
}

static bool read_values(struct option_values *v, struct arena *a, const char *text)
{
	static const char time[] = "time ";

	if (str_equal(text, "flag")) {
		v->kind = VALUES_FLAG;
		return true;
	}
	v->least = INT64_MIN;
	v->most = INT64_MAX;
	v->kind = str_starts(text, time) ? VALUES_TIME : strstr(text, "..") ? VALUES_RANGE : VALUES_WORDS;
	return v->kind == VALUES_TIME ? read_time(v, a, text + strlen(time)) :
	       v->kind == VALUES_RANGE ? read_range(v, text) : read_words(v, text);
}

static bool has_word(const char *words, const char *word)
{
	size_t n = strlen(word);

	for (; *words; words += *words == '|') {
		size_t size = strcspn(words, "|");

		if (size == n && strncmp(words, word, n) == 0)
			return true;
		words += size;
	}
	return false;
}

static bool is_in_range(const struct option_values *v, int64_t n)
{
	return n >= v->least && n <= v->most;
}

const char *declared_set_values(struct declared_option *o, struct arena *a, const char *text)
{
	struct option_values *v = &o->values;

	o->values_text = text;
	if (!read_values(v, a, text))
		return "expected the values as \"flag\", \"1..100\", \"time ms\" or \"one|two\"";
	if (v->kind == VALUES_WORDS ? !o->text : o->text != NULL)
		return v->kind == VALUES_WORDS ? "words need a string as their default" :
						 "these values are numbers, and the default is a string";
	if (v->kind == VALUES_FLAG && o->number)
		return "a flag is 0 unless it is given: expected 0 as its default";
	if (v->kind == VALUES_WORDS ? !has_word(v->words, o->text) :
				      v->kind != VALUES_FLAG && !is_in_range(v, o->number))
		return "the default is not one of the values";
	return NULL;
}

/* ---- the command line ---- */

const struct declared_option *declared_find(const declared_options *all, const char *word)
{
	size_t n = strcspn(word, "=");

	vec_each(o, all)
		if (is_same_name(o->name, word, n))
			return o;
	return NULL;
}

const struct declared_option *declared_find_letter(const declared_options *all, char letter)
{
	vec_each(o, all)
		if (o->letter && o->letter == letter)
			return o;
	return NULL;
}

/* "10ms" as a number of the option's unit; 1500us are no whole number of ms. */
static bool read_duration(const struct option_values *v, const char *given, int64_t *out)
{
	size_t digits = strspn(given, "0123456789");
	const struct unit *own = find_unit(v->unit, strlen(v->unit));
	const struct unit *unit = given[digits] ? find_unit(given + digits, strlen(given + digits)) : own;

	if (!unit || !digits || !isdigit((unsigned char)*given))
		return false;
	errno = 0;
	*out = strtoll(given, NULL, 10);
	if (errno || __builtin_mul_overflow(*out, unit->ns, out) || *out % own->ns)
		return false;
	*out /= own->ns;
	return true;
}

/* "from 1 to 100", with a space before it */
static const char *range_text(const struct option_values *v, struct arena *a, int64_t lowest)
{
	const char *unit = v->unit ? v->unit : "";
	bool has_least = v->least != lowest, has_most = v->most != INT64_MAX;

	if (has_least && has_most)
		return arena_printf(a, " from %lld%s to %lld%s", (long long)v->least, unit, (long long)v->most, unit);
	if (has_least)
		return arena_printf(a, " of at least %lld%s", (long long)v->least, unit);
	return has_most ? arena_printf(a, " of at most %lld%s", (long long)v->most, unit) : "";
}

static const char *expected(const struct declared_option *o, struct arena *a)
{
	const struct option_values *v = &o->values;

	switch (v->kind) {
	case VALUES_RANGE: return arena_printf(a, "a number%s", range_text(v, a, INT64_MIN));
	case VALUES_TIME: return arena_printf(a, "a time in whole %s%s", v->unit, range_text(v, a, 0));
	case VALUES_WORDS: return arena_printf(a, "one of %s", v->words);
	case VALUES_ANY: case VALUES_FLAG: break;
	}
	return "a number";
}

const char *declared_value(const struct declared_option *o, struct arena *a, const char *given)
{
	const struct option_values *v = &o->values;
	int64_t n = 0;
	bool good = true;

	if (v->kind == VALUES_FLAG && given) {
		error_print("option '--%s' takes no value, but is given '%s'", o->name, given);
		return NULL;
	}
	if (v->kind == VALUES_FLAG)
		return "1";
	if (!given) {
		error_print("option '--%s' of the script needs a value", o->name);
		return NULL;
	}
	if (v->kind == VALUES_WORDS)
		good = has_word(v->words, given);
	else if (v->kind == VALUES_TIME)
		good = read_duration(v, given, &n) && is_in_range(v, n);
	else if (!o->text)
		good = read_number(given, given + strlen(given), &n) && (v->kind == VALUES_ANY || is_in_range(v, n));
	if (!good) {
		error_print("option '--%s' takes %s, not '%s'", o->name, expected(o, a), given);
		return NULL;
	}
	return o->text ? given : arena_printf(a, "%lld", (long long)n);
}

/* ---- the help ---- */

const char *declared_placeholder(const struct declared_option *o)
{
	switch (o->values.kind) {
	case VALUES_FLAG: return "";
	case VALUES_WORDS: return o->values.words;
	case VALUES_TIME: return "TIME";
	case VALUES_ANY: case VALUES_RANGE: break;
	}
	return o->text ? "TEXT" : "NUMBER";
}

const char *declared_help(const struct declared_option *o, struct arena *a)
{
	const struct option_values *v = &o->values;
	const char *range = v->kind == VALUES_RANGE ? range_text(v, a, v->least == 0 ? 0 : INT64_MIN) :
			    v->kind == VALUES_TIME ? range_text(v, a, 0) : "";
	const char *unset = o->text ? (*o->text ? o->text : NULL) :
			    o->number ? arena_printf(a, "%lld%s", (long long)o->number, v->unit ? v->unit : "") : NULL;

	if (!*range && !unset)
		return o->help;
	return arena_printf(a, "%s (%s%s%s%s)", o->help, *range ? range + 1 : "", *range && unset ? "; " : "",
			    unset ? "default: " : "", unset ? unset : "");
}
