/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names in a file of debug information: loaded from the cache, or built and cached; and searched. A
 * cached copy is identified by the file's build-id, and rebuilt if it belongs to another file or is damaged. */
#include "names.h"

#include <stdlib.h>
#include <string.h>

#include "dwarf.h"
#include "base/text.h"
#include "base/util.h"
#include "collect.h"
#include "names_layout.h"

/* Files above this size take long enough for a progress message. */
enum { LARGE = 64 << 20 };

/* NULL: no cache or no build-id. */
static const char *kept_path(struct debuginfo *d)
{
	const unsigned char *id;
	GElf_Addr at;
	int size = d->dwarf->module ? dwfl_module_build_id(d->dwarf->module, &id, &at) : 0;
	struct text t;

	if (!d->request.cache || size <= 0)
		return NULL;
	text_init(&t, d->arena);
	text_printf(&t, "%s/names-", d->request.cache);
	for (int i = 0; i < size; i++)
		text_printf(&t, "%02x", id[i]);
	return t.s;
}

static bool open_kept(struct dwarf_names *x, const char *path, uint64_t identity)
{
	*x = (struct dwarf_names){ 0 };
	if (!path || !kept_open(&x->file, path))
		return false;
	x->data = (void *)(uintptr_t)x->file.content.data;
	x->size = x->file.content.size;
	if (names_set(x, identity))
		return true;
	kept_close(&x->file);
	return false;
}

static bool make_all(struct debuginfo *d, struct dwarf_names *x, const char *path)
{
	Elf_Data *info = dwarf_section_data(d->dwarf->elf, ".debug_info");
	struct names_part all = { 0, info ? info->d_size : 0 };

	if (all.to > LARGE)
		debuginfo_progress(d, arena_printf(d->arena, "indexing %s, once", d->dwarf->path));
	if (!names_collect(d, &all, 1, x))
		return false;
	/* numbers of DIEs in other files are valid in this run only */
	if (path && !d->dwarf->others.n && dir_make(d->request.cache, 0700))
		kept_save(path, x->data, x->size);
	return true;
}

const struct dwarf_names *dwarf_names_all(struct debuginfo *d)
{
	struct dwarf_file *f = d->dwarf;
	struct dwarf_names *x;
	const char *path;

	if (f->names_asked)
		return f->names;
	f->names_asked = true;
	x = xcalloc(1, sizeof(*x));
	path = kept_path(d);
	if (open_kept(x, path, names_identity(d)) || make_all(d, x, path))
		return f->names = x;
	free(x);
	return NULL;
}

static int compare_parts(const void *a, const void *b)
{
	const struct names_part *x = a, *y = b;

	return x->from < y->from ? -1 : x->from > y->from;
}

struct dwarf_names *dwarf_names_at(struct debuginfo *d, const uint64_t *addresses, size_t n)
{
	_cleanup_free_ struct names_part *parts = xcalloc(n + 1, sizeof(*parts));
	struct dwarf_names *x = xcalloc(1, sizeof(*x));
	size_t found = 0, kept = 0;
	Dwarf_Die unit;

	for (size_t i = 0; i < n; i++) {
		Dwarf_Off from;

		if (!dwarf_unit_at(d->dwarf, addresses[i], &unit))
			continue;
		from = dwarf_dieoffset(&unit) - dwarf_cuoffset(&unit);
		parts[found++] = (struct names_part){ from, from + 1 };
	}
	qsort(parts, found, sizeof(*parts), compare_parts);
	for (size_t i = 0; i < found; i++)
		if (!kept || parts[kept - 1].from != parts[i].from)
			parts[kept++] = parts[i];
	if (names_collect(d, parts, kept, x))
		return x;
	free(x);
	return NULL;
}

void dwarf_names_free(struct dwarf_names *x)
{
	if (x && x->file.data)
		kept_close(&x->file);
	else if (x)
		free(x->data);
	free(x);
}

void dwarf_names_close(struct debuginfo *d)
{
	if (!d->dwarf)
		return;
	dwarf_names_free(d->dwarf->names);
	d->dwarf->names = NULL;
}

/* ---- searching ---- */

static size_t lower_bound(const struct dwarf_names *x, const char *text, size_t n)
{
	size_t low = 0, high = x->function_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strncmp(x->texts + x->functions[middle].name, text, n) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void names_range(const struct dwarf_names *x, const char *pattern, size_t *from, size_t *to)
{
	size_t fixed = strcspn(pattern, "*?["), low, high = x->function_count;
	bool whole = !pattern[fixed];

	low = *from = lower_bound(x, pattern, fixed + whole);
	/* find the first one that no longer begins with it */
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strncmp(x->texts + x->functions[middle].name, pattern, fixed + whole) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	*to = low;
}

const struct names_copy *names_at(const struct dwarf_names *x, uint64_t address)
{
	size_t low = 0, high = x->out_of_line_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (x->copies[x->by_address[middle]].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &x->copies[x->by_address[low - 1]] : NULL;
}

static int compare_thing(const struct dwarf_names *x, size_t i, enum names_kind kind, const char *name)
{
	const struct names_thing *t = &x->things[i];

	if (t->kind != (uint32_t)kind)
		return t->kind < (uint32_t)kind ? -1 : 1;
	return strcmp(x->texts + t->name, name);
}

const struct names_thing *names_find(const struct dwarf_names *x, enum names_kind kind, const char *name,
				     size_t *n)
{
	size_t low = 0, high = x->thing_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_thing(x, middle, kind, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (*n = 0; low + *n < x->thing_count && compare_thing(x, low + *n, kind, name) == 0;)
		++*n;
	return &x->things[low];
}
