// SPDX-License-Identifier: GPL-2.0-or-later
/* The old session is switched off before its globals are read, so no event is counted twice. Everything until the new
 * one has started can be undone: its rows are switched on again. */
#include "takeover.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/host.h"
#include "common/message.h"

static void switch_rows(struct takeover *t, u16 kind, bool all)
{
	for (u32 i = 0; i < t->control.report.probe_count; i++)
		if (all || t->probes[i].armed)
			control_send_number(&t->control, kind, t->probes[i].number);
}

/* 0 or errno. */
static int copy_globals(const struct control *other, const struct control *own)
{
	size_t size, done = 0;
	_cleanup_free_ char *data = control_read_globals(other, &size);
	_cleanup_close_ int to = data ? openat(own->dir, "globals", O_WRONLY | O_CLOEXEC) : -1;

	if (to < 0)
		return errno;
	while (done < size) {
		ssize_t n = write(to, data + done, size - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return errno ? errno : EIO;
		done += (size_t)n;
	}
	return 0;
}

static bool is_begin(const char *point)
{
	return strncmp(point, "begin", 5) == 0;
}

/* Has the old session this begin probe? Then it has run. */
static bool has_begun(const struct takeover *t, const struct meta_probe *p)
{
	for (u32 i = 0; i < t->meta.probe_count; i++)
		if (strcmp(t->meta.probes[i].point, p->point) == 0 &&
		    strcmp(t->meta.probes[i].position, p->position) == 0)
			return true;
	return false;
}

static int skip_begun(const struct takeover *t, struct control *own, const struct meta *meta)
{
	struct tap_probe_report *probes = control_read_probes(own);
	int err = probes ? 0 : errno;

	for (u32 i = 0; !err && i < meta->probe_count && i < own->report.probe_count; i++)
		if (is_begin(meta->probes[i].point) && has_begun(t, &meta->probes[i]))
			err = control_send_number(own, TAP_DISARM, probes[i].number);
	free(probes);
	return err;
}

static int open_old(struct takeover *t, const char *proc)
{
	int err = control_open_monitor(&t->control, proc, t->name);

	if (!err)
		err = control_read(&t->control);
	if (!err && !meta_read(&t->meta, t->control.dir))
		err = EPROTO;
	if (!err && !(t->probes = control_read_probes(&t->control)))
		err = errno;
	return err;
}

static void close_old(struct takeover *t)
{
	meta_free(&t->meta);
	free(t->probes);
	control_close(&t->control);
	*t = (struct takeover){ .control = { .fd = -1, .dir = -1, .done = -1 } };
}

static enum tap_status refuse(const char *doing, const char *name, int err)
{
	if (err == ENOENT)
		message_error("there is no session '%s' that hands over its globals (tapc --hand-over)", name);
	else
		message_error("cannot %s the session '%s': %s", doing, name, strerror(err));
	return TAP_STATUS_LOAD;
}

enum tap_status takeover_copy(const char *proc, const char *name, const struct control *own)
{
	struct control other = { .fd = -1, .dir = -1, .done = -1 };
	int err = control_open_monitor(&other, proc, name);

	if (!err)
		err = copy_globals(&other, own);
	control_close(&other);
	return err ? refuse("read the globals of", name, err) : TAP_STATUS_OK;
}

enum tap_status takeover_begin(struct takeover *t, const char *proc, const char *name, struct control *own,
			       const struct meta *meta)
{
	int err;

	*t = (struct takeover){ .name = name, .control = { .fd = -1, .dir = -1, .done = -1 } };
	err = open_old(t, proc);
	if (!err) {
		switch_rows(t, TAP_DISARM, false);
		err = copy_globals(&t->control, own);
		if (!err)
			err = skip_begun(t, own, meta);
		if (!err)
			return TAP_STATUS_OK;
		switch_rows(t, TAP_ARM, false);
	}
	close_old(t);
	return refuse("take the place of", name, err);
}

void takeover_end(struct takeover *t, bool started)
{
	if (!t->probes)
		return;
	if (started) {
		switch_rows(t, TAP_DISARM, true);	/* end probes, too */
		control_send(&t->control, TAP_EXIT, NULL, 0);
	} else {
		switch_rows(t, TAP_ARM, false);
	}
	close_old(t);
}
