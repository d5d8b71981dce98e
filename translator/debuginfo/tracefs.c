/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the running kernel tells of its functions in tracefs and debugfs: both want root, and be
 * mounted. */
#include "debuginfo/tracefs.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "map.h"
#include "util.h"

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

/* Names only: the list is in the order of addresses, so of several functions with one name it is the
 * first that is behind the last one found. */
static size_t read_names(const struct symbol_list *l, struct arena *a, const char *text,
			 uint64_t *sites)
{
	struct map first;		/* name to its first function; next is the one behind it */
	uint32_t *next = arena_array(a, uint32_t, l->symbols.n + 1);
	size_t n = 0, after = 0;

	map_init(&first, a);
	for (size_t i = l->symbols.n; i-- > 0;) {
		const struct raw_symbol *s = &l->symbols.items[i];
		const char *name = raw_symbol_name(l, s);

		if (!(s->flags & SYMBOL_FUNCTION))
			continue;
		next[i + 1] = (uint32_t)(uintptr_t)map_get(&first, name);
		map_set(&first, name, (void *)(uintptr_t)(i + 1));
	}
	for (const char *p = text; *p; p = next_line(p)) {
		size_t length = strcspn(p, " \t\n");
		uint32_t i;

		if (p[length] != '\n' && p[length])
			continue;	/* " [module]" */
		i = (uint32_t)(uintptr_t)map_get(&first, arena_strndup(a, p, length));
		while (i && i <= after)
			i = next[i];
		if (!i)
			continue;
		after = i;
		sites[n++] = l->symbols.items[i - 1].address;
	}
	return n;
}

static size_t count_lines(const char *text)
{
	size_t n = 0;

	for (const char *p = text; *p; p = next_line(p))
		n++;
	return n;
}

bool tracefs_mark_sites(struct arena *a, const char *root, struct symbol_list *l, unsigned reach)
{
	const char *text = read_tracefs(a, root, "available_filter_functions_addrs");
	bool has_addresses = text != NULL;
	uint64_t *sites;
	size_t n;

	if (!text)
		text = read_tracefs(a, root, "available_filter_functions");
	if (!text)
		return false;
	sites = arena_array(a, uint64_t, count_lines(text) + 1);
	n = has_addresses ? read_addresses(text, sites) : read_names(l, a, text, sites);
	if (!n)
		return false;
	symtab_mark_sites(l, sites, n, reach);
	return true;
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
