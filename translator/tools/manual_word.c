/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The manual of words that look like functions but are not: words built into the language, and the
 * library's macros with the comment above each. */
#include "manual_word.h"
#include "manual.h"

#include <string.h>

#include "syntax/preproc.h"
#include "source/source.h"
#include "base/text.h"

static const struct word { const char *name, *arguments, *summary; } words[] = {
	{ "print", "(value, ...)", "print values, one after the other" },
	{ "println", "(value, ...)", "print values and a line break" },
	{ "printf", "(\"format\", value, ...)", "print with a format: %d, %x, %s, %p, %c, %b, %m, %M and their widths" },
	{ "printd", "(\"between\", value, ...)", "print values with a separator" },
	{ "printdln", "(\"between\", value, ...)", "print values with a separator, and a line break" },
	{ "print_char", "(number)", "print the character with that code" },
	{ "sprint", ":string (value, ...)", "the output of print as a string" },
	{ "sprintln", ":string (value, ...)", "the output of println as a string" },
	{ "sprintf", ":string (\"format\", value, ...)", "the output of printf as a string" },
	{ "sprintd", ":string (\"between\", value, ...)", "the output of printd as a string" },
	{ "sprintdln", ":string (\"between\", value, ...)", "the output of printdln as a string" },
	{ "@count", ":long (aggregate)", "the number of values" },
	{ "@sum", ":long (aggregate)", "the sum of the values" },
	{ "@min", ":long (aggregate)", "the smallest value" },
	{ "@max", ":long (aggregate)", "the largest value" },
	{ "@avg", ":long (aggregate)", "the average of the values, rounded" },
	{ "@variance", ":long (aggregate[, bits])", "the variance of the values" },
	{ "@percentile", ":long (aggregate, n)", "the value that n percent of the values do not exceed, with "
	  "an error of at most 3 %" },
	{ "@hist_log", "(aggregate)", "a histogram with buckets of powers of two, for print" },
	{ "@hist_linear", "(aggregate, low, high, width)", "a histogram with buckets of equal width, for print" },
	{ "@cast", "(address, \"type\"[, \"module\"])", "a pointer to that type, to be followed by ->" },
	{ "@var", "(\"name@file\"[, \"module\"])", "a global variable of the kernel, a module or a program; "
	  "for a per-CPU variable, the instance of this CPU" },
	{ "@entry", "(expression)", "in a return probe: the value of the expression when the function was entered" },
	{ "@defined", ":long ($variable)", "is it available here? 1 or 0, decided when the script is translated" },
	{ "@probewrite", ":long (variable)", "does the script's probe write this variable of an alias?" },
	{ "@perf", ":long (\"counter\")", "the value of the counter of a probe perf...counter(\"name\")" },
	{ "@const", ":long (\"C expression\")", "a constant of the kernel's headers" },
	{ "@kderef", ":long (size, address)", "that many bytes of kernel memory as a number" },
	{ "@uderef", ":long (size, address)", "that many bytes of the program's memory as a number" },
	{ "@kregister", ":long (number)", "a register of the kernel, by its DWARF number" },
	{ "@uregister", ":long (number)", "a register of the program, by its DWARF number" },
	{ "@enum", ":long (\"name\"[, \"module\"])", "the value of an enumerator" },
	{ "@enumname", ":string (\"enum type\", value[, \"module\"])", "the name of the enumerator with that value" },
	{ "@sizeof", ":long (\"type\"[, \"module\"])", "the size of a type in bytes" },
	{ "@offsetof", ":long (\"type\", member[, \"module\"])", "the offset of the member in the type, in bytes" },
	{ "@row", "(\"table(column, ...)\", value, ...)", "print a row of a table, for --output=csv and others" },
	{ "@container_of", "(address, \"type\", member[, \"module\"])", "the structure whose member is at the address" },
};

static bool add_builtin(struct text *t, const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		const struct word *w = &words[i];

		if (!str_equal(name, w->name) && !(*w->name == '@' && str_equal(name, w->name + 1)))
			continue;
		text_printf(t, "%s%s%s\n    %s\n", w->name, *w->arguments == '(' ? " " : "", w->arguments, w->summary);
		return true;
	}
	return false;
}

/* The start of the line before AT. */
static const char *line_above(const char *text, const char *at)
{
	at--;
	while (at > text && at[-1] != '\n')
		at--;
	return at;
}

/* The comment above the definition, or above a group of definitions without a blank line. */
static void add_comment(struct text *t, struct span at)
{
	const char *text = at.source->text, *start = text + at.start, *line;

	while (start > text && start[-1] != '\n')
		start--;
	while (start > text && *(line = line_above(text, start)) != '\n' && *start != '#')
		start = line;
	while (start > text && *(line = line_above(text, start)) == '#')
		start = line;
	for (; *start == '#'; start += strcspn(start, "\n") + 1)
		text_printf(t, "   %.*s\n", (int)strcspn(start + 1, "\n"), start + 1);
}

bool manual_word_text(const struct manual *m, const char *name, struct text *out)
{
	const struct macro *macro;
	const char *separator = " (";

	if (add_builtin(out, name))
		return true;
	name += *name == '@';
	macro = macros_find(m->macros, name);
	if (!macro)
		return false;
	text_printf(out, "macro @%s", name);
	for (size_t i = 0; i < macro->parameters.n; i++, separator = ", ")
		text_printf(out, "%s%s", separator, macro->parameters.items[i]);
	text_add(out, macro->parameters.n ? ")\n" : "\n");
	add_comment(out, macro->span);
	return true;
}

void manual_word_names(const struct manual *m, struct arena *a, name_list *names)
{
	name_list macros = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		*vec_add(a, names) = words[i].name;
	macros_names(m->macros, &macros);
	vec_each(macro, &macros)
		if (**macro != '_')
			*vec_add(a, names) = arena_printf(a, "@%s", *macro);
}
