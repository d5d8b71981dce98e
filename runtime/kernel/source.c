// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines of the kernel's sources, from the table that the translator has put into the script. That this file is a
 * part of the module is because a function of the script asks for them; without debug information there was nothing
 * to put in, and nothing is known. */
#include "source.h"

#include "address.h"
#include "context.h"
#include "symbol.h"
#include "core/unwind.h"

static struct tap_image image;
static u64 first;			/* address of the table's place 0 */

int tap_sources_start(void)
{
	const struct tap_lines *l = tap_script.lines;
	const char *reason = "its table is damaged";
	unsigned long anchor;
	int err;

	if (!l)
		return 0;
	err = tap_functions_base(&l->image, &anchor, &reason);
	if (!err && !tap_image_open(&image, l->data, l->size))
		err = -EINVAL;
	if (err)
		tap_message(TAP_ITEM_ERROR, "lines of the kernel's sources: %s", reason);
	first = anchor + l->first;
	return err;
}

static const struct tap_image_line *line_of(u64 address)
{
	u64 place = address - first;

	return address >= first && place <= U32_MAX ? tap_image_line(&image, place) : NULL;
}

struct tap_string tap_source_text(struct tap_context *c, u64 address, enum tap_source_style style)
{
	const struct tap_image_line *l = line_of(address);
	u32 room = tap_script.limits.string, size;
	char *text = tap_scratch(c, room);

	if (!text)
		return TAP_EMPTY;
	if (!l)
		size = scnprintf(text, room, "0x%llx", address);
	else if (style == TAP_SOURCE_FILE)
		size = scnprintf(text, room, "%s", image.names + l->file);
	else if (style == TAP_SOURCE_LINE)
		size = scnprintf(text, room, "%u", l->line);
	else
		size = scnprintf(text, room, "%s:%u", image.names + l->file, l->line);
	return (struct tap_string){ text, size };
}

/* " at read_write.c:450" */
static u32 write_place(char *to, u32 room, u64 address)
{
	const struct tap_image_line *l = line_of(address);

	return l ? scnprintf(to, room, " at %s:%u", kbasename(image.names + l->file), l->line) : 0;
}

void tap_source_print(struct tap_context *c, const char *prefix, u64 address, bool behind_call)
{
	char *mark = c->scratch, *line, place[128], hex[TAP_MOST_HEX + 1];
	struct tap_string data = tap_symbol_data(c, address);
	const char *module = data.size ? strrchr(data.data, ' ') : NULL;
	u32 room = strlen(prefix) + sizeof(hex) + sizeof(place) + data.size + sizeof("  : \n");
	int name = module ? module - data.data : data.size;

	hex[tap_symbol_hex(hex, address)] = 0;
	place[write_place(place, sizeof(place), address - behind_call)] = 0;
	line = tap_scratch(c, room);
	if (line)
		tap_print_text(c, TAP_ITEM_TEXT, (struct tap_string){
			line, scnprintf(line, room, "%s %s : %.*s%s%s\n", prefix, hex, name, data.data, place,
					module ?: "") });
	c->scratch = mark;
}
