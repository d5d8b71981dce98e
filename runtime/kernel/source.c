// SPDX-License-Identifier: GPL-2.0-or-later
/* Source lines of the kernel and of modules, from the tables that the translator puts into the script. This file is
 * only part of modules whose script calls a function that needs it; without debug information the tables are
 * missing, and lines are unknown. symbol.c finds where a module is loaded, by one of its functions. */
#include "source.h"

#include "address.h"
#include "arch/arch.h"
#include "context.h"
#include "message.h"
#include "services.h"
#include "symbol.h"
#include "core/unwind.h"

enum { MOST_INLINED = 64 };		/* functions around a call that are printed */
#define INLINED " (inlined)"

static struct tap_image *images;		/* one for each of tap_script.lines */
static unsigned long anchor;		/* address of the kernel's */

static int source_open_image(const struct tap_lines *l, struct tap_image *image)
{
	const char *reason = "its table is damaged";
	int err = l->symbol ? 0 : tap_functions_base(&l->image, &anchor, &reason);

	if (!err && !tap_image_open(image, l->data, l->size))
		err = -EINVAL;
	if (err)
		tap_message(TAP_ITEM_ERROR, "lines of the kernel's sources: %s", reason);
	return err;
}

static int source_start(void)
{
	int err = 0;

	if (!tap_script.line_count)
		return 0;
	images = tap_zalloc(tap_script.line_count * sizeof(*images), NUMA_NO_NODE);
	if (!images)
		return -ENOMEM;
	for (u32 i = 0; i < tap_script.line_count && !err; i++)
		err = source_open_image(&tap_script.lines[i], &images[i]);
	return err;
}

static void source_close(void)
{
	tap_zfree(images, tap_script.line_count * sizeof(*images));
}

/* Finds where table I begins; false if its module is not loaded. */
static bool source_find_first(u32 i, u64 *first)
{
	const struct tap_lines *l = &tap_script.lines[i];
	u64 at = l->symbol ? READ_ONCE(l->symbol->address) : anchor;

	*first = at - l->offset + l->first;
	return at;
}

/* Returns the line, and the NAMES that contain its file. */
static const struct tap_image_line *source_line(u64 address, const char **names)
{
	for (u32 i = 0; i < tap_script.line_count; i++) {
		const struct tap_image_line *l;
		u64 first;

		if (!source_find_first(i, &first) || address < first || address - first > U32_MAX)
			continue;
		l = tap_image_line(&images[i], address - first);
		*names = images[i].names;
		if (l)
			return l;
	}
	return NULL;
}

/* As source_inlined(), of calls as the compiler made them. */
static const struct tap_image_inlined *source_inlined_at(u64 address, const struct tap_image **image)
{
	for (u32 i = 0; i < tap_script.line_count; i++) {
		const struct tap_image_inlined *found;
		u64 first;

		if (!source_find_first(i, &first) || address < first || address - first > U32_MAX)
			continue;
		*image = &images[i];
		found = tap_image_inlined(*image, address - first);
		if (found)
			return found;
	}
	return NULL;
}

/* Returns the function that is inlined around the call which returns to ADDRESS, and its IMAGE; NULL: none. */
static const struct tap_image_inlined *source_inlined(u64 address, const struct tap_image **image)
{
	u64 at = address;
	const struct tap_image_inlined *found = source_inlined_at(at, image);

	while (!found) {
		u32 size = tap_nop_size(at);

		if (!size || at + size - address > TAP_MOST_SHORTENED)
			return NULL;
		at += size;
		found = source_inlined_at(at, image);
	}
	return found;
}

struct tap_string tap_source_text(struct tap_context *c, u64 address, enum tap_source_style style)
{
	const char *names;
	const struct tap_image_line *l = source_line(address, &names);
	u32 room = tap_script.limits.string, size;
	char *text = tap_scratch(c, room);

	if (!text)
		return TAP_EMPTY;
	if (!l)
		size = scnprintf(text, room, "0x%llx", address);
	else if (style == TAP_SOURCE_FILE)
		size = scnprintf(text, room, "%s", names + l->file);
	else if (style == TAP_SOURCE_LINE)
		size = scnprintf(text, room, "%u", l->line);
	else
		size = scnprintf(text, room, "%s:%u", names + l->file, l->line);
	return (struct tap_string){ text, size };
}

struct tap_string tap_source_inlined(struct tap_context *c, u64 address, s64 n, enum tap_inlined_style style)
{
	const struct tap_image *image = NULL;
	const struct tap_image_inlined *at = n < 0 ? NULL : source_inlined(address, &image);
	u32 room = tap_script.limits.string, size;
	char *text;

	/* ends: outer ones have lower numbers */
	while (at && n--)
		at = tap_image_outer(image, at);
	text = at ? tap_scratch(c, room) : NULL;
	if (!text)
		return TAP_EMPTY;
	if (style == TAP_INLINED_NAME)
		size = scnprintf(text, room, "%s", image->names + at->name);
	else
		size = scnprintf(text, room, "%s:%u", image->names + at->file, at->line);
	return (struct tap_string){ text, size };
}

/* Writes, for example, " at read_write.c:450"; nothing if the line is unknown. */
static u32 source_write_place(char *to, u32 room, u64 address)
{
	const char *names;
	const struct tap_image_line *l = source_line(address, &names);

	return l ? scnprintf(to, room, " at %s:%u", kbasename(names + l->file), l->line) : 0;
}

/* One frame: a name, which may have been inlined, and the module with its brackets, if any. */
static void source_print_frame(struct tap_context *c, const char *prefix, const char *hex, struct tap_string name,
			       const char *place, const char *module)
{
	u32 room = strlen(prefix) + strlen(hex) + strlen(place) + name.size + strlen(module) + sizeof("  : \n");
	char *mark = c->scratch, *line = tap_scratch(c, room);

	if (line)
		tap_print_text(c, TAP_ITEM_TEXT, (struct tap_string){
			line, scnprintf(line, room, "%s %s : %.*s%s%s\n", prefix, hex, (int)name.size, name.data, place,
					module) });
	c->scratch = mark;
}

void tap_source_print(struct tap_context *c, const char *prefix, u64 address, bool behind_call)
{
	char *mark = c->scratch, place[128], hex[TAP_MOST_HEX + 1];
	struct tap_string data = tap_symbol_data(c, address);
	const char *module = data.size ? strrchr(data.data, ' ') : NULL;
	const struct tap_image *image = NULL;
	const struct tap_image_inlined *inlined = behind_call ? source_inlined(address, &image) : NULL;

	hex[tap_symbol_hex(hex, address)] = 0;
	place[source_write_place(place, sizeof(place) - sizeof(INLINED), address - behind_call)] = 0;
	for (u32 i = 0; inlined && i < MOST_INLINED; i++, inlined = tap_image_outer(image, inlined)) {
		const char *name = image->names + inlined->name;

		strcat(place, INLINED);
		source_print_frame(c, prefix, hex, (struct tap_string){ name, strlen(name) }, place, module ?: "");
		place[scnprintf(place, sizeof(place) - sizeof(INLINED), " at %s:%u",
				kbasename(image->names + inlined->file), inlined->line)] = 0;
	}
	if (module)
		data.size = module - data.data;
	source_print_frame(c, prefix, hex, data, place, module ?: "");
	c->scratch = mark;
}

const struct tap_service tap_source_service = { .start = source_start, .close = source_close };
