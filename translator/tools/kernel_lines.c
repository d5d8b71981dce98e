/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes source line tables in the format that the runtime searches (abi/tap_image.h; only lines, inlined functions and
 * names). The module contains them: 1.2 million rows of a distribution's kernel are 15 MB. Each table is
 * made once per build-id and kept with the other kept data of debug information.
 *
 * Tables are made for the kernel itself and for those of its modules that the script probes: their .text. */
#include "kernel_lines.h"

#include <stdlib.h>
#include <string.h>

#include "debuginfo/kept.h"
#include "debuginfo/dwarf/inlines.h"
#include "debuginfo/dwarf/lines.h"
#include "source/diag.h"
#include "points/family.h"
#include "base/map.h"
#include "points/place_row.h"
#include "plan/plan.h"
#include "points/handler.h"
#include "debuginfo/images.h"
#include "base/text.h"
#include "base/util.h"

#include "tap_image.h"
#include "tap_version.h"
#include "debuginfo/symbols/symbols.h"

/* ---- packing ---- */

struct packer {
	struct text names;
	struct map numbers;		/* offsets of names, by their text */
	const char *last;
	u32 last_number;
};

static u32 number_of(struct packer *p, const char *file)
{
	void *known;

	if (file == p->last)
		return p->last_number;
	known = map_get(&p->numbers, file);
	if (!known) {
		known = (void *)(uintptr_t)p->names.n;	/* never 0: the first name is "" */
		map_set(&p->numbers, file, known);
		text_add_n(&p->names, file, strlen(file) + 1);
	}
	p->last = file;
	p->last_number = (u32)(uintptr_t)known;
	return p->last_number;
}

/* Precedes the image in the kept file. */
struct lines_head {
	int64_t first;			/* the address at which the image's offsets start */
	uint64_t version;		/* TAP_IMAGE_VERSION */
};

/* Places are relative to FIRST; those more than 4 GB after it are left out. Returns how many rows there are. */
static u32 pack_lines(struct packer *p, const struct source_lines *lines, int64_t first, struct tap_image_line *rows)
{
	u32 n = 0;

	for (size_t i = 0; i < lines->n; i++) {
		const struct source_line *l = &lines->list[i];

		if (l->offset - first > UINT32_MAX)
			break;
		rows[n++] = (struct tap_image_line){
			(u32)(l->offset - first), l->line ? number_of(p, l->file) : 0, l->line };
	}
	return n;
}

static u32 pack_calls(const struct source_inlines *inlines, int64_t first, struct tap_image_call *calls)
{
	u32 n = 0;

	for (size_t i = 0; i < inlines->call_count; i++) {
		const struct source_call *c = &inlines->calls[i];

		if (c->offset >= first && c->offset - first <= UINT32_MAX)
			calls[n++] = (struct tap_image_call){ (u32)(c->offset - first), c->inlined };
	}
	return n;
}

static void pack_inlined(struct packer *p, const struct source_inlines *inlines, struct tap_image_inlined *list)
{
	for (size_t i = 0; i < inlines->n; i++) {
		const struct source_inlined *s = &inlines->list[i];

		list[i] = (struct tap_image_inlined){
			number_of(p, s->function), number_of(p, s->file), s->line, s->outer };
	}
}

static void *pack(struct arena *a, const struct source_lines *lines, const struct source_inlines *inlines, size_t *size)
{
	struct packer p = { .last = NULL };
	int64_t first = lines->list[0].offset;
	struct lines_head *head;
	struct tap_image_line *rows = xcalloc(lines->n, sizeof(*rows));
	struct tap_image_call *calls = xcalloc(inlines->call_count + 1, sizeof(*calls));
	struct tap_image_inlined *list = xcalloc(inlines->n + 1, sizeof(*list));
	static const struct tap_unwind_rule none;
	struct tap_image_head image = { .magic = TAP_IMAGE_MAGIC, .fd = -1, .rule_count = 1 };
	char *to;

	text_init(&p.names, a);
	map_init(&p.numbers, a);
	text_add_n(&p.names, "", 1);
	image.line_count = pack_lines(&p, lines, first, rows);
	image.call_count = pack_calls(inlines, first, calls);
	image.inlined_count = (u32)inlines->n;
	pack_inlined(&p, inlines, list);
	image.names_size = (u32)p.names.n;
	*size = sizeof(*head) + sizeof(image) + sizeof(none) + image.line_count * sizeof(*rows) +
		image.call_count * sizeof(*calls) + image.inlined_count * sizeof(*list) + p.names.n;
	head = xcalloc(1, *size);
	head->first = first;
	head->version = TAP_IMAGE_VERSION;
	to = mempcpy(head + 1, &image, sizeof(image));
	to = mempcpy(to, &none, sizeof(none));
	to = mempcpy(to, rows, image.line_count * sizeof(*rows));
	to = mempcpy(to, calls, image.call_count * sizeof(*calls));
	to = mempcpy(to, list, image.inlined_count * sizeof(*list));
	memcpy(to, p.names.s, p.names.n);
	free(rows);
	free(calls);
	free(list);
	return head;
}

/* ---- files ---- */

static const char *kept_path(struct arena *a, const char *cache, const struct debuginfo_facts *facts)
{
	struct text t;

	text_init(&t, a);
	text_printf(&t, "%s/lines-", cache);
	for (uint32_t i = 0; i < facts->build_id_size; i++)
		text_printf(&t, "%02x", facts->build_id[i]);
	return t.s;
}

static bool make_file(struct arena *a, struct debuginfo *d, const char *cache, const char *path,
		      const char **reason)
{
	struct source_lines lines;
	struct source_inlines inlines = { 0 };
	_cleanup_free_ void *packed = NULL;
	bool made = false;
	size_t size;

	*reason = "";
	if (debuginfo_lines(d, &lines) == DEBUGINFO_FOUND) {
		debuginfo_inlines(d, &inlines);
		packed = pack(a, &lines, &inlines, &size);
		made = dir_make(cache, 0700) && kept_save(path, packed, size);
		if (!made)
			*reason = arena_printf(a, "cannot write %s", path);
	} else {
		*reason = debuginfo_reason(d);
	}
	free(lines.list);
	free(inlines.list);
	free(inlines.calls);
	return made;
}

/* False also if the image has the format of another build. */
static bool open_file(struct kept_file *file, const char *path)
{
	if (!kept_open(file, path))
		return false;
	if (file->content.size > sizeof(struct lines_head) &&
	    ((const struct lines_head *)file->content.data)->version == TAP_IMAGE_VERSION)
		return true;
	kept_close(file);
	return false;
}

/* Find a function by which the module's load address can be computed: it is in .text, and its name is unique. */
static bool add_symbol(struct plan *plan, struct debuginfo *d, struct line_table *table)
{
	struct arena *a = plan->arena;
	struct symbols found = { 0 };

	if (debuginfo_functions(d, "*", &found) != DEBUGINFO_FOUND)
		return false;
	for (size_t i = 0; i < found.list.n; i++) {
		const struct symbol *s = &found.list.items[i];
		bool is_single = (!i || !str_equal(s[-1].name, s->name)) &&
				 (i + 1 == found.list.n || !str_equal(s[1].name, s->name));

		if (!is_single || !s->section || !str_equal(s->section, ".text"))
			continue;
		table->is_module = true;
		table->offset = s->offset;
		table->symbol = plan_symbol(plan, arena_printf(a, "%s:%s", debuginfo_module_name(d), s->name));
		return true;
	}
	return false;
}

/* Add the lines of a module or of the kernel. False, with REASON. */
static bool add_lines(struct plan *plan, struct debuginfo *d, const char *cache, const char **reason)
{
	struct arena *a = plan->arena;
	struct line_table table = { 0 };
	struct debuginfo_facts facts;
	struct kept_file file;

	if (debuginfo_facts(d, &facts) != DEBUGINFO_FOUND || !facts.build_id_size) {
		*reason = "its build-id is not known";
		return false;
	}
	table.path = kept_path(a, cache, &facts);
	if (!open_file(&file, table.path) &&
	    !(make_file(a, d, cache, table.path, reason) && open_file(&file, table.path)))
		return false;
	table.first = ((const struct lines_head *)file.content.data)->first;
	table.skip = (size_t)(file.content.data - (const uint8_t *)file.data) + sizeof(struct lines_head);
	table.size = file.content.size - sizeof(struct lines_head);
	kept_close(&file);
	*reason = "it has no function with a unique name";
	if (debuginfo_module_name(d) && !add_symbol(plan, d, &table))
		return false;
	place_row_image(&table.image, &facts);
	*vec_add(a, &plan->lines) = table;
	return true;
}

static void warn(const struct plan *plan, const char *of, const char *name, const char *reason)
{
	diag_warn(plan->lines_user->span, "the source lines of %s%s are not known: %s", of, name, reason);
}

/* Add the modules that the script probes, each once. */
static void add_modules(struct plan *plan, struct debuginfo *kernel, const char *cache)
{
	struct map seen;

	map_init(&seen, plan->arena);
	vec_each(h, &plan->handlers) {
		vec_each(s, &h->handler->sites) {
			const char *reason = "no such module";
			struct debuginfo *d;

			if (!s->module || map_get(&seen, s->module))
				continue;
			map_set(&seen, s->module, plan);
			d = debuginfo_module(kernel, s->module);
			if (!d || !add_lines(plan, d, cache, &reason))
				warn(plan, "module ", s->module, reason);
		}
	}
}

void kernel_lines(struct images *images, struct plan *plan)
{
	const char *cache = images_request(images).cache, *reason = "line tables need the cache, which is disabled";
	struct debuginfo *kernel;

	if (!plan->lines_user)
		return;
	kernel = images_kernel(images);
	if (cache && add_lines(plan, kernel, cache, &reason))
		add_modules(plan, kernel, cache);
	else
		warn(plan, "the ", "kernel", reason);
}
