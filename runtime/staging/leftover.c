// SPDX-License-Identifier: GPL-2.0-or-later
/* A module without a session is recognised by its directory /proc/tap:NAME: control can be opened, so
 * nobody else has it open or is about to (runtime/kernel/control.c), and its state is before the start
 * or after the end. Only what has such a directory is ever removed (CVE-2010-4171 was a staging program
 * that would remove any module). */
#include "leftover.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "control.h"
#include "host.h"
#include "message.h"
#include "module.h"

/* ---- who holds a module ---- */

static void describe_process(const char *pid, const char *directory)
{
	char *path = host_printf("/proc/%s/comm", pid);
	char *name = host_read_line(path);

	message_error("process %s (%s) has files of %s open", pid, name ? name : "?", directory);
	free(name);
	free(path);
}

static bool process_holds(const char *pid, const char *directory)
{
	char *path = host_printf("/proc/%s/fd", pid);
	DIR *dir = opendir(path);
	size_t length = strlen(directory);
	struct dirent *e;
	bool holds = false;

	while (dir && !holds && (e = readdir(dir))) {
		char target[256];
		ssize_t n = readlinkat(dirfd(dir), e->d_name, target, sizeof(target) - 1);

		target[n < 0 ? 0 : n] = 0;
		holds = strncmp(target, directory, length) == 0 &&
			(target[length] == '/' || target[length] == 0);
	}
	if (dir)
		closedir(dir);
	free(path);
	return holds;
}

static void tell_processes(const char *proc, const char *name)
{
	char *directory = host_printf("%s/" TAP_PROC_PREFIX "%s", proc, name);
	DIR *dir = opendir("/proc");
	struct dirent *e;

	while (dir && (e = readdir(dir)))
		if (e->d_name[0] >= '1' && e->d_name[0] <= '9' && process_holds(e->d_name, directory))
			describe_process(e->d_name, directory);
	if (dir)
		closedir(dir);
	free(directory);
}

bool leftover_unload(const char *proc, const char *name)
{
	int err = module_unload(name);
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
	message_error("module '%s' stays loaded, for it is in use (%s users): "
		      "its probes are off; taprun -d %s removes it later",
		      name, count ? count : "some", name);
	tell_processes(proc, name);
	free(count);
	free(path);
	return false;
}

/* ---- leftovers ---- */

static void remove_over(const char *proc, const char *name, void *detached_too)
{
	const struct tap_report *r;
	struct control c;
	bool over;

	if (control_open(&c, proc, name, false) != 0)
		return;
	r = &c.report;
	over = (r->state == TAP_LOADED || r->state == TAP_DRAINING || r->state == TAP_FAILED) &&
	       (*(bool *)detached_too || !r->detached);
	control_close(&c);
	if (over && leftover_unload(proc, name))
		message_verbose(1, "module %s was left behind by a session that is over", name);
}

void leftover_remove(const char *proc)
{
	bool detached_too = false;

	control_each(proc, remove_over, &detached_too);
}

/* ---- -d ---- */

bool leftover_delete_one(const char *proc, const char *word)
{
	char name[MODULE_NAME_SIZE];
	struct control c;
	int err = module_name_of(word, name) ? control_open(&c, proc, name, true) : ENOENT;

	switch (err) {
	case 0:
		break;
	case ENOENT:
		message_error("there is no module '%s' of tapc", word);
		return false;
	case EBUSY:
		message_error("module '%s' belongs to a session that runs: end that", name);
		return false;
	default:
		message_error("cannot open the session of module '%s': %s", name, strerror(err));
		return false;
	}
	control_send_number(&c, TAP_DETACH, 0);		/* closing ends it, if it was detached */
	control_close(&c);
	return leftover_unload(proc, name);
}

bool leftover_delete(const char *proc, char **names, int count)
{
	bool good = true, detached_too = true;

	for (int i = 0; i < count; i++) {
		if (strcmp(names[i], "*") == 0)
			control_each(proc, remove_over, &detached_too);
		else
			good = leftover_delete_one(proc, names[i]) && good;
	}
	return good;
}
