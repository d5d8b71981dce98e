/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The gallery as tools: each examples/SUBJECT/NAME.stp is the tool NAME. All that is said about one comes from its
 * comment and its declarations of options. */
#include "gallery.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/util.h"
#include "manual_page.h"
#include "source/installation.h"
#include "source/source.h"
#include "syntax/script_head.h"

struct tool {
	const char *name, *path;
};
typedef VEC(struct tool) tool_list;

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct tool *)a)->name, ((const struct tool *)b)->name);
}

static tool_list all_tools(struct arena *a)
{
	static const char suffix[] = ".stp";
	tool_list all = { 0 };
	glob_t found;

	if (glob(arena_printf(a, "%s/*/*%s", installation_dir(a, "examples"), suffix), 0, NULL, &found))
		return all;
	for (size_t i = 0; i < found.gl_pathc; i++) {
		const char *path = arena_strdup(a, found.gl_pathv[i]), *base = path_base(path);

		*vec_add(a, &all) = (struct tool){ arena_strndup(a, base, strlen(base) - strlen(suffix)), path };
	}
	globfree(&found);
	qsort(all.items, all.n, sizeof(*all.items), by_name);
	return all;
}

const char *gallery_find(struct arena *a, const char *word)
{
	tool_list all = { 0 };

	if (!*word || *word == '-' || strpbrk(word, "/."))
		return NULL;
	all = all_tools(a);
	vec_each(tool, &all)
		if (str_equal(tool->name, word))
			return tool->path;
	return NULL;
}

const char *gallery_near(struct arena *a, const char *word)
{
	tool_list all = all_tools(a);
	name_list names = { 0 };

	vec_each(tool, &all)
		*vec_add(a, &names) = tool->name;
	if (!names.n || strchr(word, '/'))
		return NULL;
	return nearest_name(arena_strndup(a, word, strcspn(word, ".")), names.items, names.n);
}

/* ---- the list ---- */

/* The comment's first sentence, which may take several lines. */
static const char *question_of(struct arena *a, const char *text)
{
	char *comment = arena_strdup(a, script_head_comment(a, text)), *end = strpbrk(comment, "?");

	comment[end ? (size_t)(end - comment) + 1 : strcspn(comment, "\n")] = '\0';
	for (char *p = comment; *p; p++)
		*p = *p == '\n' ? ' ' : *p;
	return comment;
}

static char *read_tool(struct arena *a, const struct tool *tool)
{
	char *text = file_read(a, tool->path, NULL);

	if (!text)
		error_print("cannot read the script '%s': %s", tool->path, strerror(errno));
	return text;
}

bool gallery_list(struct arena *a)
{
	tool_list all = all_tools(a);

	if (!all.n)
		error_print("there are no tools in '%s'", installation_dir(a, "examples"));
	vec_each(tool, &all) {
		const char *text = read_tool(a, tool);

		if (!text)
			return false;
		printf("%-20s %s\n", tool->name, question_of(a, text));
	}
	return all.n;
}

/* ---- the help ---- */

/* "-n, --top=NUMBER"; without a letter as wide as with one */
static const char *spelling(struct arena *a, const struct declared_option *o)
{
	const char *value = declared_placeholder(o);

	return arena_printf(a, "%c%c%s --%s%s%s", o->letter ? '-' : ' ', o->letter ? o->letter : ' ',
			    o->letter ? "," : " ", o->name, *value ? "=" : "", value);
}

static void print_row(const char *option, const char *help)
{
	enum { WIDTH = 26 };

	if (strlen(option) < WIDTH)
		printf("  %-*s %s\n", WIDTH, option, help);
	else
		printf("  %s\n  %-*s %s\n", option, WIDTH, "", help);
}

void gallery_help(struct arena *a, const char *name, const char *text, const struct script_head *head)
{
	const char *comment = script_head_comment(a, text), *needs = script_head_line(a, text, "needs");

	printf("Usage: tapc %s%s%s\n", name ? name : "-e SCRIPT", head->options.n ? " [OPTIONS]" : "",
	       head->has_arguments ? " [ARGUMENTS]" : "");
	if (*comment)
		printf("\n%s", comment);
	if (needs)
		printf("\nNeeds: %s\n", needs);
	puts("\nOptions:");
	vec_each(o, &head->options)
		print_row(spelling(a, o), declared_help(o, a));
	print_row("-h, --help" + (head->options.n ? 0 : 4), "this text");
	puts("Options of tapc may follow, too, such as -T SECONDS, -o FILE and --json: tapc -h lists them.");
}

/* ---- man pages ---- */

static bool write_page(struct arena *a, const struct tool *tool, const char *dir)
{
	const char *text = read_tool(a, tool), *needs, *path, *name, *folder;
	struct script_head head;
	struct text t;

	if (!text)
		return false;
	head = script_head_find(a, text, strlen(text));
	name = arena_printf(a, "tapc-%s", tool->name);
	path = arena_printf(a, "%s/%s.1", dir, name);
	needs = script_head_line(a, text, "needs");
	text_init(&t, a);
	text_printf(&t, ".\\\" made from the script's comment and its options\n.TH %s 1 \"\" \"tapc %s\" \"tapc\"\n"
			".SH NAME\n%s \\- ", name, PACKAGE_VERSION, name);
	page_line(&t, question_of(a, text));
	text_printf(&t, ".SH SYNOPSIS\n.B tapc %s\n", tool->name);
	text_printf(&t, "%s%s.SH DESCRIPTION\n", head.options.n ? ".RI [ OPTIONS ]\n" : "",
		    head.has_arguments ? ".RI [ ARGUMENTS ]\n" : "");
	page_body(&t, script_head_comment(a, text));
	if (needs)
		page_line(&t, arena_printf(a, "Needs: %s.", needs));
	text_add(&t, ".SH OPTIONS\n");
	vec_each(o, &head.options) {
		const char *option = spelling(a, o);

		text_add(&t, ".TP\n.B ");
		page_line(&t, option + strspn(option, " "));
		page_line(&t, declared_help(o, a));
	}
	text_add(&t, ".TP\n.B \\-\\-help\nPrint this text.\n.PP\nOptions of\n.BR tapc (1)\nmay be given, too.\n");
	folder = arena_strndup(a, tool->path, (size_t)(path_base(tool->path) - tool->path) - 1);
	text_printf(&t, ".SH FILES\n%s/examples/%s/%s.stp\n.SH SEE ALSO\n.BR tapc (1)\n", TAPC_DATADIR,
		    path_base(folder), tool->name);
	if (file_write(path, t.s, t.n))
		return true;
	error_print("cannot write '%s': %s", path, strerror(errno));
	return false;
}

bool gallery_pages(struct arena *a, const char *dir)
{
	tool_list all = all_tools(a);

	vec_each(tool, &all)
		if (!write_page(a, tool, dir))
			return false;
	return true;
}
