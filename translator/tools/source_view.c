/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tapc --source POINT: for each function that the point means, prints its lines, with a '*' at those
 * with an address that can be probed, and the target variables available there whenever they change:
 *
 *	vfs_read@fs/read_write.c:450
 *	       $file $buf $count $pos
 *	 450   ssize_t vfs_read(struct file *file, char __user *buf, size_t count, loff_t *pos)
 *	 451 * {
 *
 * Without the source, only line numbers are printed. */
#include "source_view.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/debuginfo.h"
#include "debuginfo/place.h"
#include "meaning/resolve.h"
#include "source/target_host.h"
#include "base/text.h"
#include "base/util.h"

struct view {
	const struct target_host *host;
	struct arena *arena;
	name_list shown;		/* "function@file:line" */
	name_list lacking;		/* files without source that were reported */
};

/* ---- sources ---- */

/* Where distributions and kernel builds install sources; %s: the release. */
static const char *const folders[] = {
	"", "/lib/modules/%s/source", "/lib/modules/%s/build", "/usr/src/linux-%s", "/usr/src/linux",
	"/usr/src/debug/kernel-%s/linux-%s",
};

static const char *folder(struct view *v, const char *format)
{
	const char *release = v->host->release ? v->host->release : "";
	struct text path;

	text_init(&path, v->arena);
	text_add(&path, v->host->sysroot);
	for (const char *p = format; *p; p++) {
		if (*p == '%' && *++p)
			text_add(&path, release);
		else
			text_char(&path, *p);
	}
	return path.s;
}

/* The text of FILE, named as in debug information; NULL: not found. */
static const char *read_source(struct view *v, const char *file, size_t *size)
{
	const char *text = file_read(v->arena, file, size);

	for (size_t i = 0; !text && i < ARRAY_SIZE(folders); i++)
		text = file_read(v->arena, arena_printf(v->arena, "%s/%s", folder(v, folders[i]), file), size);
	return text;
}

static bool is_in(const name_list *l, const char *name)
{
	vec_each(n, l)
		if (str_equal(*n, name))
			return true;
	return false;
}

static void say_it_lacks(struct view *v, const char *file)
{
	if (is_in(&v->lacking, file))
		return;
	*vec_add(v->arena, &v->lacking) = file;
	fprintf(stderr, "tapc: note: the source '%s' is neither here nor in %s/lib/modules/%s/source; "
			"line numbers only\n", file, v->host->sysroot,
		v->host->release ? v->host->release : "");
}

/* ---- printing ---- */

static int compare_lines(const void *a, const void *b)
{
	const struct debug_place *x = a, *y = b;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static const char *variables_at(struct view *v, const struct debug_place *p)
{
	debug_variables all = { 0 };
	struct text names;

	text_init(&names, v->arena);
	debuginfo_variables(p, VARIABLES_PARAMETERS, &all);
	debuginfo_variables(p, VARIABLES_LOCALS, &all);
	vec_each(variable, &all)
		if (variable->location.kind != LOCATION_NOWHERE)
			text_printf(&names, " $%s", variable->name);
	return names.s;
}

static void print_line(unsigned number, bool can_be_probed, const char *text, size_t size)
{
	printf("%5u %c", number, can_be_probed ? '*' : ' ');
	if (size)
		printf(" %.*s", (int)size, text);
	putchar('\n');
}

/* PLACES are sorted by line; inlined copies of a line count once. */
static void print_function(struct view *v, const struct debug_place *f, const debug_places *places)
{
	size_t size = 0, next = 0;
	const char *text = read_source(v, f->file, &size), *end = text ? text + size : NULL, *before = "";
	unsigned last = places->items[places->n - 1].line;

	if (!text)
		say_it_lacks(v, f->file);
	for (unsigned line = 1; line < f->line && text; line++) {
		text = memchr(text, '\n', (size_t)(end - text));
		text = text && ++text < end ? text : NULL;
	}
	for (unsigned line = f->line; line <= last; line++) {
		const char *stop = text ? memchr(text, '\n', (size_t)(end - text)) : NULL;
		bool can_be_probed = next < places->n && places->items[next].line == line;

		if (can_be_probed) {
			const char *now = variables_at(v, &places->items[next]);

			if (!str_equal(now, before))
				printf("       %s\n", *now ? now : " nothing");
			before = now;
		}
		while (next < places->n && places->items[next].line == line)
			next++;
		if (text || can_be_probed)
			print_line(line, can_be_probed, text, text ? (size_t)((stop ? stop : end) - text) : 0);
		text = stop && stop + 1 < end ? stop + 1 : NULL;
	}
}

static bool view_function(struct view *v, const struct debug_place *f)
{
	const char *name;
	debug_places places = { 0 };

	if (!f->file) {
		debuginfo_line_places(f->image, f->function, NULL, 0, INT_MAX, false, false, &places);
		error_print("%s: %s", f->function, debuginfo_reason(f->image));
		return false;
	}
	name = arena_printf(v->arena, "%s@%s:%u", f->function, f->file, f->line);
	if (is_in(&v->shown, name))
		return true;
	if (debuginfo_line_places(f->image, f->function, f->file, 0, INT_MAX, false, false, &places) !=
	    DEBUGINFO_FOUND) {
		error_print("%s: %s", name, debuginfo_reason(f->image));
		return false;
	}
	if (v->shown.n)
		putchar('\n');
	*vec_add(v->arena, &v->shown) = name;
	puts(name);
	qsort(places.items, places.n, sizeof(*places.items), compare_lines);
	print_function(v, f, &places);
	return true;
}

bool source_view(const struct target_host *host, struct arena *a, const struct program *p)
{
	struct view v = { .host = host, .arena = a };
	bool good = true;

	vec_each(h, &p->handlers)
		vec_each(s, &(*h)->sites) {
			if (s->place) {
				good &= view_function(&v, s->place);
			} else {
				error_print("'%s' is not in a function", s->name);
				good = false;
			}
		}
	return good;
}
