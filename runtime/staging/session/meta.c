// SPDX-License-Identifier: GPL-2.0-or-later
/* The meta file is copied with a NUL after each entry, so that all texts in it are terminated. Entries of
 * unknown kind are ignored. */
#include "meta.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/record.h"
#include "common/host.h"
#include "common/message.h"

enum { MOST_META = 256 << 20 };

static bool add_format(struct meta *m, u32 kind, const char *text, u32 size)
{
	struct meta_format *f = &m->formats[m->format_count++];

	*f = (struct meta_format){
		.text = text, .size = size, .is_global = kind == TAP_META_GLOBAL, .form = timeline_form_of(text),
		.table = kind == TAP_META_ROW ? table_of(text) : NULL,
	};
	if (f->table)
		m->tables[m->table_count++] = f->table;
	return kind != TAP_META_ROW || f->table;
}

static bool add_hist(struct meta *m, const char *payload, u32 size)
{
	struct meta_format *f = &m->formats[m->format_count++];

	*f = (struct meta_format){ .text = "", .is_hist = true };
	if (size != sizeof(f->hist))
		return false;
	memcpy(&f->hist, payload, size);
	return tap_hist_shape_valid(&f->hist);
}

/* PAYLOAD: point NUL position NUL. */
static bool add_probe(struct meta *m, const char *payload, u32 size)
{
	size_t point = strlen(payload);

	m->probes[m->probe_count++] =
		(struct meta_probe){ payload, point < size ? payload + point + 1 : "" };
	return true;
}

static bool set_limits(struct meta *m, const char *payload, u32 size)
{
	if (size != sizeof(m->limits))
		return false;
	memcpy(&m->limits, payload, size);
	m->hist_style.elision = m->limits.hist_elision;
	return true;
}

static bool add_entry(struct meta *m, u32 kind, const char *payload, u32 size)
{
	switch (kind) {
	case TAP_META_SCRIPT:
		m->script = payload;
		return true;
	case TAP_META_FORMAT:
	case TAP_META_GLOBAL:
	case TAP_META_ROW:
		return add_format(m, kind, payload, size);
	case TAP_META_HIST:
		return add_hist(m, payload, size);
	case TAP_META_PROBE:
		return add_probe(m, payload, size);
	case TAP_META_LIMITS:
		return set_limits(m, payload, size);
	}
	return true;
}

static u32 count_entries(const u8 *data, u64 size)
{
	struct tap_meta entry;
	const u8 *payload;
	u32 count = 0;

	for (u64 at = 0; tap_meta_next(data, size, &at, &entry, &payload) == TAP_WALK_OK;)
		count++;
	return count;
}

static void parse_formats(struct meta *m)
{
	struct tap_directive *to;
	size_t n = 0;

	for (u32 i = 0; i < m->format_count; i++)
		n += tap_format_count(m->formats[i].text, m->formats[i].size);
	to = m->directives = host_alloc(n * sizeof(*to));
	for (u32 i = 0; i < m->format_count; i++) {
		struct meta_format *f = &m->formats[i];

		f->parsed = tap_format_parse(f->text, f->size, to);
		to += f->parsed.count;
	}
}

bool meta_parse(struct meta *m, const char *data, size_t size)
{
	const u8 *bytes = (const u8 *)data, *payload;
	u32 count = count_entries(bytes, size);
	struct tap_meta entry;
	enum tap_walk walk;
	bool good = true;
	char *to;

	*m = (struct meta){ .script = "", .hist_style = TAP_HIST_STYLE };
	m->formats = host_alloc(count * sizeof(*m->formats));
	m->probes = host_alloc(count * sizeof(*m->probes));
	m->tables = host_alloc(count * sizeof(*m->tables));
	to = m->data = host_alloc(size + count + 1);
	for (u64 at = 0; (walk = tap_meta_next(bytes, size, &at, &entry, &payload)) == TAP_WALK_OK;) {
		memcpy(to, payload, entry.size);
		to[entry.size] = 0;
		good = add_entry(m, entry.kind, to, entry.size) && good;
		to += entry.size + 1;
	}
	if (good && walk == TAP_WALK_END) {
		parse_formats(m);
		return true;
	}
	message_error("the module's description (meta) is invalid: "
		      "module and taprun must be from the same version of tapc");
	meta_free(m);
	return false;
}

bool meta_read(struct meta *m, int dir)
{
	_cleanup_close_ int fd = openat(dir, "meta", O_RDONLY | O_CLOEXEC);
	size_t size = 0;
	_cleanup_free_ char *data = fd < 0 ? NULL : host_read_file(fd, MOST_META, &size);

	*m = (struct meta){ 0 };
	if (!data) {
		message_error("cannot read the module's description (meta): %s", strerror(errno));
		return false;
	}
	return meta_parse(m, data, size);
}

void meta_free(struct meta *m)
{
	for (size_t i = 0; i < m->table_count; i++)
		table_free(m->tables[i]);
	free(m->tables);
	free(m->data);
	free(m->formats);
	free(m->directives);
	free(m->probes);
	*m = (struct meta){ 0 };
}
