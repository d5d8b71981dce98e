/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the running kernel reports about its functions in tracefs and debugfs: both must be mounted
 * and are readable by root only. */
#include "tracefs.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/map.h"
#include "base/util.h"

static const char *const places[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };

static bool is_readable(const char *root, const char *dir, const char *file)
{
	char path[PATH_MAX];

	return snprintf(path, sizeof(path), "%s%s/%s", root, dir, file) < (int)sizeof(path) &&
	       access(path, R_OK) == 0;
}

bool tracefs_has_sites(const char *root)
{
	return is_readable(root, places[0], "available_filter_functions") ||
	       is_readable(root, places[1], "available_filter_functions");
}

bool tracefs_has_list(const char *root)
{
	return is_readable(root, "/sys/kernel/debug/kprobes", "blacklist");
}

static const char *read_tracefs(struct arena *a, const char *root, const char *file)
{
	char *text = NULL;

	for (size_t i = 0; !text && i < ARRAY_SIZE(places); i++)
		text = file_read(a, arena_printf(a, "%s%s/%s", root, places[i], file), NULL);
	return text && *text ? text : NULL;
}

const char *tracefs_events(struct arena *a, const char *root)
{
	return read_tracefs(a, root, "available_events");
}

static const char *next_line(const char *p)
{
	p = strchrnul(p, '\n');
	return *p ? p + 1 : p;
}

/* 6.5 and later: "ffffffff81002014 __traceiter_initcall_level [module]". */
static size_t read_addresses(const char *text, uint64_t *sites)
{
	size_t n = 0;

	for (const char *p = text; *p; p = next_line(p)) {
		uint64_t address = strtoull(p, NULL, 16);

		if (address)
			sites[n++] = address;
	}
	return n;
}

/* A list of names, which many functions may share. The list is in address order, so unique names
 * locate the others between them. (Before 6.1 a name can be wrong: the place of a weak function
 * that was overridden is listed under the name of the function before it.) */
struct name_list {
	const struct symbol_list *symbols;
	struct map first;		/* name -> 1 + index of the first function with it */
	uint32_t *next;			/* the same for the next function with that name; 0: it was the last */
	uint32_t *lines;		/* first function with the name on each line; 0: no such function */
	size_t n;
};

static void index_names(struct name_list *list, struct arena *a)
{
	const struct symbol_list *l = list->symbols;

	map_init(&list->first, a);
	list->next = arena_array(a, uint32_t, l->symbols.n + 1);
	for (size_t i = l->symbols.n; i > 0; i--) {
		const struct raw_symbol *s = &l->symbols.items[i - 1];
		const char *name = raw_symbol_name(l, s);

		if (!(s->flags & SYMBOL_FUNCTION))
			continue;
		list->next[i] = (uint32_t)(uintptr_t)map_get(&list->first, name);
		map_set(&list->first, name, (void *)(uintptr_t)i);
	}
}

static void read_lines(struct name_list *list, struct arena *a, const char *text)
{
	for (const char *p = text; *p; p = next_line(p)) {
		size_t length = strcspn(p, " \t\n");

		if (!p[length] || p[length] == '\n')	/* else "name [module]" */
			list->lines[list->n++] = (uint32_t)(uintptr_t)
				map_get(&list->first, arena_strndup(a, p, length));
	}
}

static bool is_unique(const struct name_list *list, size_t line)
{
	return list->lines[line] && !list->next[list->lines[line]];
}

static size_t place_lines(const struct name_list *list, uint64_t *sites)
{
	size_t n = 0, last = 0, ahead = 0;

	for (size_t line = 0; line < list->n; line++) {
		uint32_t i = list->lines[line];

		if (ahead <= line)
			for (ahead = line + 1; ahead < list->n && !is_unique(list, ahead);)
				ahead++;
		if (is_unique(list, line))
			last = i;
		else
			while (i && i <= last)
				i = list->next[i];
		if (!i || (!is_unique(list, line) && ahead < list->n && i > list->lines[ahead]))
			continue;
		last = i;
		sites[n++] = list->symbols->symbols.items[i - 1].address;
	}
	return n;
}

static size_t read_names(const struct symbol_list *l, struct arena *a, const char *text, size_t lines,
			 uint64_t *sites)
{
	struct name_list list = { .symbols = l, .lines = arena_array(a, uint32_t, lines + 1) };

	index_names(&list, a);
	read_lines(&list, a, text);
	return place_lines(&list, sites);
}

static size_t count_lines(const char *text)
{
	size_t n = 0;

	for (const char *p = text; *p; p = next_line(p))
		n++;
	return n;
}

bool tracefs_mark_sites(struct arena *a, const char *root, struct symbol_list *l,
			const struct arch *arch)
{
	const char *text = read_tracefs(a, root, "available_filter_functions_addrs");
	bool has_addresses = text != NULL;
	uint64_t *sites;
	size_t n, lines;

	if (!text)
		text = read_tracefs(a, root, "available_filter_functions");
	if (!text)
		return false;
	lines = count_lines(text);
	sites = arena_array(a, uint64_t, lines + 1);
	n = has_addresses ? read_addresses(text, sites) : read_names(l, a, text, lines, sites);
	if (n)
		symtab_mark_sites(l, sites, n, arch);
	l->only_names = n && !has_addresses;
	return n && has_addresses;
}

/* "0xffffffff81a00930-0xffffffff81a00950\tasm_exc_divide_error" */
bool tracefs_mark_listed(struct arena *a, const char *root, struct symbol_list *l)
{
	const char *path = arena_printf(a, "%s/sys/kernel/debug/kprobes/blacklist", root);
	const char *text = file_read(a, path, NULL);
	bool any = false;

	for (const char *p = text ? text : ""; *p; p = next_line(p)) {
		char *end;
		uint64_t start = strtoull(p, &end, 16), stop = *end == '-' ? strtoull(end + 1, NULL, 16) : 0;

		if (!start)
			continue;
		symtab_mark_listed(l, start, stop);
		any = true;
	}
	l->blacklist |= any;
	return any;
}
