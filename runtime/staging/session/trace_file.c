// SPDX-License-Identifier: GPL-2.0-or-later
/* The events go to the session's text output, or to the database that its file is. */
#include "trace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/create.h"
#include "common/host.h"
#include "common/message.h"
#include "database.h"

static void put(void *to, const char *data, size_t size)
{
	output_text(to, data, size);
}

static bool put_end(void *to, const char *data, size_t size, size_t kept)
{
	return output_end(to, data, size, kept);
}

/* The difference between the clocks: it changes only while the machine sleeps. */
static int64_t boot_offset(void)
{
	struct timespec boot, now;

	clock_gettime(CLOCK_BOOTTIME, &boot);
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)(boot.tv_sec - now.tv_sec) * 1000000000 + (boot.tv_nsec - now.tv_nsec);
}

/* Next to the file at STREAM. */
static bool write_description(const struct timeline_format *f, const struct timeline_settings *s, const char *stream)
{
	_cleanup_free_ char *text = timeline_description(f, s);
	int folder = (int)(strrchr(stream, '/') + 1 - stream);
	_cleanup_free_ char *path = host_printf("%.*s" TIMELINE_DESCRIPTION, folder, stream);
	_cleanup_close_ int fd = create_open(path, O_WRONLY | O_TRUNC, 0666);
	size_t size = strlen(text);

	if (fd >= 0 && write(fd, text, size) == (ssize_t)size)
		return true;
	message_error("cannot write to '%s': %s", path, fd < 0 ? create_error(errno) : strerror(errno));
	return false;
}

bool trace_file_open(struct timeline **t, const struct timeline_format *f, const struct meta *m, struct output *out,
		     bool records)
{
	struct timeline_settings settings;
	char refusal[TIMELINE_REFUSAL];
	bool any = records && timeline_has_slices(f);

	for (u32 i = 0; i < m->format_count; i++)
		any |= timeline_can_show(f, m->formats[i].text, m->formats[i].table);
	if (timeline_refuses(f, any, m->table_count, refusal)) {
		message_error("%s", refusal);
		return false;
	}
	settings = (struct timeline_settings){
		.script = m->script,
		.tables = (const struct table *const *)m->tables, .table_count = m->table_count,
		.epoch = m->epoch, .boot = boot_offset(), .put = put,
		.put_end = output_has_end(out) ? put_end : NULL, .to = out,
	};
	if (timeline_is_folder(f) && !write_description(f, &settings, out->path))
		return false;
	if (timeline_is_database(f)) {
		settings.put = database_put;
		settings.to = database_open(out);
		if (!settings.to)
			return false;
	}
	*t = timeline_open(f, &settings);
	return true;
}

static void warn(const char *text)
{
	message_warning("%s", text);
}

void trace_file_end(struct timeline *t, bool all)
{
	timeline_end(t);
	timeline_warn(t, all, warn);
}

void trace_file_close(struct timeline *t, struct output *out)
{
	const char *end = "";
	uint64_t taken = out->error && out->error != EPIPE ? output_taken(out) : 0, kept;
	size_t size = 0;

	if (taken) {
		kept = timeline_shorten(t, taken, &end, &size);
		if (!output_replace_end(out, kept, end, size))
			message_error("'%s' does not end with a whole event: %s", output_name(out), strerror(errno));
		else if (timeline_report_of(t)->cut)
			message_warning("the last %llu rows are not in '%s'",
					(unsigned long long)timeline_report_of(t)->cut, output_name(out));
	}
	if (timeline_settings_of(t)->put == database_put)
		database_close(timeline_settings_of(t)->to);
	timeline_close(t);
}
