// SPDX-License-Identifier: GPL-2.0-or-later
/* A child process reads the snapshot at once, so that the module's next one can be requested, and then writes the file.
 * It needs nothing of the session but the recorder's file, and outlives it: the file becomes complete. It closes all
 * other descriptors, because an open control file is a session that goes on. Its last byte in a pipe says that the
 * file is complete. */
#include "snapshots.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <syslog.h>
#include <unistd.h>

#include "common/create.h"
#include "common/host.h"
#include "common/message.h"
#include "common/output.h"
#include "recording.h"
#include "recording_draw.h"
#include "trace_file.h"

enum { FILE_AT = 3, DONE_AT = 4 };	/* descriptors of the child */

/* ---- in the child ---- */

static bool keep_descriptors(int file, int done)
{
	int first = fcntl(file, F_DUPFD, DONE_AT + 1), second = fcntl(done, F_DUPFD, DONE_AT + 1);

	if (first < 0 || second < 0 || dup2(first, FILE_AT) < 0 || dup2(second, DONE_AT) < 0)
		return false;
	closelog();		/* it opens its socket again */
	return close_range(DONE_AT + 1, ~0u, 0) == 0;
}

/* The file has its name when it is complete: PART is that until then. */
static bool open_output(struct output *o, const struct timeline_format *f, const char *path, char **name)
{
	char *part;
	int fd;

	if (timeline_is_folder(f))
		mkdir(path, 0777);	/* if it fails, so does opening the file */
	*name = timeline_is_folder(f) ? host_printf("%s/" TIMELINE_STREAM, path) : host_printf("%s", path);
	part = host_printf("%s.part", *name);
	fd = create_open(part, O_WRONLY | O_TRUNC, 0666);
	if (fd < 0) {
		message_error("cannot write to '%s': %s", part, create_error(errno));
		free(part);
		return false;
	}
	output_open(o, fd);
	o->own = true;
	o->path = part;
	return true;
}

static void report(const struct recording *r, const char *path, uint64_t events, uint64_t ns)
{
	message_verbose(0, "snapshot '%s': %llu events of %llu.%03llu s; %llu older ones are overwritten", path,
			(unsigned long long)events, (unsigned long long)ns / 1000000000,
			(unsigned long long)ns / 1000000 % 1000, (unsigned long long)r->overwritten);
	if (r->end.overtaken)
		message_warning("snapshot '%s': %llu blocks were overwritten before they could be copied", path,
				(unsigned long long)r->end.overtaken);
	if (r->torn)
		message_warning("snapshot '%s': %llu events were not complete when they were copied", path,
				(unsigned long long)r->torn);
	if (r->end.missed)
		message_warning("snapshot '%s': %llu events since the start were not recorded", path,
				(unsigned long long)r->end.missed);
	if (r->end.refused)
		message_warning("%llu snapshots since the start were not taken, as an earlier one was not saved yet",
				(unsigned long long)r->end.refused);
}

static bool write_file(const struct snapshots *s, struct recording *r, const char *path)
{
	_cleanup_free_ char *name = NULL, *part = NULL;
	uint64_t events, first, last;
	struct timeline *t;
	struct output o;
	bool good;

	if (!open_output(&o, s->format, path, &name))
		return false;
	if (!trace_file_open(&t, s->format, s->meta, &o, true)) {
		output_close(&o);
		return false;
	}
	events = recording_draw(r, t, &first, &last);
	trace_file_end(t, false);
	output_flush(&o);
	trace_file_close(t, &o);
	part = host_printf("%s", o.path);
	output_close(&o);
	good = !o.error;
	if (rename(part, name) < 0) {
		message_error("cannot write to '%s': %s", name, strerror(errno));
		return false;
	}
	report(r, path, events, last - first);
	return good;
}

static bool save(const struct snapshots *s)
{
	_cleanup_free_ char *path = NULL;
	int file = FILE_AT;
	struct recording r;
	int err = recording_read(&r, file);
	bool good;

	host_close(&file);
	if (err) {
		message_error("cannot read the snapshot: %s", strerror(err));
		return false;
	}
	path = host_printf("%s.%llu", s->path, (unsigned long long)r.head.number);
	message_verbose(1, "snapshot '%s': %zu KB were copied", path, r.size >> 10);
	good = write_file(s, &r, path);
	recording_close(&r);
	return good;
}

static _Noreturn void run_child(const struct snapshots *s, int done)
{
	message_through(NULL);
	if (!keep_descriptors(s->file, done)) {
		message_error("cannot save the snapshot: %s", strerror(errno));
		_exit(1);
	}
	_exit(!save(s) || write(DONE_AT, "", 1) != 1);
}

/* ---- in the session ---- */

void snapshots_init(struct snapshots *s)
{
	*s = (struct snapshots){ .file = -1, .done = -1 };
}

void snapshots_open(struct snapshots *s, int dir, const struct meta *meta, const struct timeline_format *format,
		    const char *path)
{
	s->file = openat(dir, "recorder", O_RDONLY | O_CLOEXEC);
	s->meta = meta;
	s->format = format;
	if (path && format && timeline_has_slices(format))
		s->path = timeline_is_folder(format) ? host_printf("%.*s", (int)(strrchr(path, '/') - path), path) :
						       host_printf("%s", path);
}

const char *snapshots_refusal(int err)
{
	return err == EBUSY ? "an earlier one is not saved yet" :
	       err == EOPNOTSUPP || err == ENODEV ? "the script records nothing: recorder_start() in a probe of begin does" :
	       err == ENOENT ? "no such session" : strerror(err);
}

static void refuse(struct snapshots *s)
{
	message_warning("a snapshot was requested, but no file can have it: --output=perfetto, chrome or ctf and -o FILE");
	host_close(&s->file);
}

void snapshots_begin(struct snapshots *s)
{
	int ends[2] = { -1, -1 };
	pid_t child;

	if (!s->path) {
		refuse(s);
		return;
	}
	child = pipe2(ends, O_CLOEXEC) < 0 ? -1 : fork();
	if (child == 0)
		run_child(s, ends[1]);
	host_close(&ends[1]);
	s->done = ends[0];
	if (child < 0) {
		message_error("cannot save the snapshot: %s", strerror(errno));
		host_close(&s->done);
		host_close(&s->file);	/* otherwise we would try without an end */
	}
}

void snapshots_finish(struct snapshots *s)
{
	ssize_t n;
	char byte;

	do {
		n = read(s->done, &byte, 1);
	} while (n < 0 && errno == EINTR);
	if (n != 1)
		message_error("a snapshot of the recorder was not saved completely");
	host_close(&s->done);
}

static bool is_requested(const struct snapshots *s)
{
	struct pollfd p = { .fd = s->file, .events = POLLIN };

	return poll(&p, 1, 0) > 0 && p.revents & POLLIN;
}

void snapshots_close(struct snapshots *s)
{
	if (snapshots_is_busy(s))
		snapshots_finish(s);
	if (s->path && is_requested(s)) {
		snapshots_begin(s);
		if (snapshots_is_busy(s))
			snapshots_finish(s);
	}
	host_close(&s->file);
	free(s->path);
	s->path = NULL;
}
