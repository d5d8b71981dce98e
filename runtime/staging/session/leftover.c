// SPDX-License-Identifier: GPL-2.0-or-later
/* A module without a session is recognised by its directory /proc/tap:NAME. If control can be opened, no other
 * process has it open or is about to open it (runtime/kernel/control.c), and the state must be before the start
 * or after the end. Only modules that have such a directory are ever removed (CVE-2010-4171 was a staging
 * program that would remove any module). */
#include "leftover.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "control.h"
#include "holders.h"
#include "common/host.h"
#include "common/message.h"
#include "common/module.h"

enum {
	PATIENCE = 2000,		/* ms; a monitoring process has the files open only briefly */
	LEFTOVERS_PATIENCE = 200,	/* ms for all of them, while the user waits for a new session */
};

bool leftover_unload(const char *proc, const char *name)
{
	int err = module_unload(name, PATIENCE);
	char *path, *count;

	if (err == 0 || err == ENOENT) {
		message_verbose(1, "removed module %s", name);
		return true;
	}
	if (err != EAGAIN && err != EBUSY) {
		message_error("cannot remove module '%s': %s", name, strerror(err));
		return false;
	}
	path = host_printf("/sys/module/%s/refcnt", name);
	count = host_read_line(path);
	message_error("module '%s' stays loaded because it is in use (%s users): "
		      "its probes are off; taprun -d %s removes it later",
		      name, count ? count : "some", name);
	holders_tell(proc, name);
	free(count);
	free(path);
	return false;
}

/* ---- leftovers ---- */

static bool does_nothing(const struct tap_report *r)
{
	return r->state == TAP_LOADED || r->state == TAP_DRAINING || r->state == TAP_FAILED;
}

static bool reports_over(const struct control *c, bool detached_too)
{
	return does_nothing(&c->report) && (detached_too || !c->report.detached);
}

/* A session that was configured has a monitor. */
static bool is_in_use(const char *proc, const char *name, bool detached_too)
{
	struct control c;
	bool in_use;

	if (control_open_monitor(&c, proc, name) != 0)
		return false;
	in_use = c.report.held || !reports_over(&c, detached_too);
	control_close(&c);
	return in_use;
}

/* Only one process can open control, so the monitor of a session that runs is read instead: a process that attaches to
 * it or ends it meanwhile must not fail. Opening control fails for a module that another loader is about to use. */
static bool is_over(const char *proc, const char *name, bool detached_too)
{
	struct control c;
	bool over;

	if (is_in_use(proc, name, detached_too) || control_open(&c, proc, name, false) != 0)
		return false;
	over = reports_over(&c, detached_too);
	control_close(&c);
	return over;
}

/* Leftovers that are held open are left for later; they are not an error of this session. */
static void remove_quickly(const char *proc, const char *name, void *data)
{
	uint64_t now = host_now(), until = *(uint64_t *)data;
	int err;

	if (!is_over(proc, name, false))
		return;
	err = module_unload(name, until > now ? (unsigned)((until - now) / 1000000) : 0);
	message_verbose(1, err ? "module %s, left by a session that is over, is in use" :
				 "removed module %s, left by a session that is over", name);
}

void leftover_remove(const char *proc)
{
	uint64_t until = host_now() + LEFTOVERS_PATIENCE * 1000000ull;

	control_each(proc, remove_quickly, &until);
}

/* ---- -d ---- */

/* control is open in the process that runs the session, or in one that received it and keeps it after the
 * session's end. */
static void tell_busy(const char *proc, const char *name)
{
	struct control c;
	bool over = false;

	if (control_open_monitor(&c, proc, name) == 0) {
		over = does_nothing(&c.report) && c.report.held;
		control_close(&c);
	}
	message_error(over ? "the session of module '%s' is over, but its control file is still open" :
			     "module '%s' belongs to a session that is running: end it first", name);
	holders_tell(proc, name);
}

static bool leftover_delete_one(const char *proc, const char *word)
{
	char name[MODULE_NAME_SIZE];
	struct control c;
	int err = module_name_of(word, name) ? control_open(&c, proc, name, true) : ENOENT;

	switch (err) {
	case 0:
		break;
	case ENOENT:
		message_error("no module '%s' of tapc is loaded", word);
		return false;
	case EBUSY:
		tell_busy(proc, name);
		return false;
	default:
		message_error("cannot open the session of module '%s': %s", name, strerror(err));
		return false;
	}
	control_send_number(&c, TAP_DETACH, 0);		/* closing ends a detached session */
	control_close(&c);
	return leftover_unload(proc, name);
}

static void delete_over(const char *proc, const char *name, void *good)
{
	if (is_over(proc, name, true) && !leftover_unload(proc, name))
		*(bool *)good = false;
}

bool leftover_delete(const char *proc, char **names, int count)
{
	bool good = true;

	for (int i = 0; i < count; i++) {
		if (strcmp(names[i], "*") == 0)
			control_each(proc, delete_over, &good);
		else
			good = leftover_delete_one(proc, names[i]) && good;
	}
	return good;
}
