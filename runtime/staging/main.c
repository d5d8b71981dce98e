// SPDX-License-Identifier: GPL-2.0-or-later
/* taprun loads a module, relays its output and unloads it. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "session/cgroup.h"
#include "session/client.h"
#include "session/control.h"
#include "common/create.h"
#include "common/default_path.h"
#include "session/flame.h"
#include "common/host.h"
#include "session/leftover.h"
#include "session/listing.h"
#include "session/merge.h"
#include "common/message.h"
#include "common/module.h"
#include "common/notify.h"
#include "screen/monitor.h"
#include "session/options.h"
#include "common/privilege.h"
#include "session/session.h"
#include "common/signals.h"
#include "common/status.h"

enum { MOST_STACKS = 1 << 30 };

/* ---- -D ---- */

static int ready = -1;			/* pipe to the waiting parent */

/* The parent prints our process number when the session has started; otherwise it passes on our exit status. */
static _Noreturn void wait_for_daemon(pid_t pid, int started)
{
	int status;
	ssize_t n;
	char byte;

	do {
		n = read(started, &byte, 1);
	} while (n < 0 && errno == EINTR);
	if (n == 1) {
		printf("%d\n", (int)pid);
		_exit(fflush(stdout) ? TAP_STATUS_HOST : TAP_STATUS_OK);
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	_exit(WIFEXITED(status) ? WEXITSTATUS(status) : TAP_STATUS_HOST);
}

static bool become_daemon(void)
{
	int ends[2] = { -1, -1 };
	pid_t pid = pipe2(ends, O_CLOEXEC) < 0 ? -1 : fork();

	if (pid < 0) {
		message_error("cannot go to the background: %s", strerror(errno));
		return false;
	}
	if (pid > 0) {
		close(ends[1]);
		wait_for_daemon(pid, ends[0]);
	}
	close(ends[0]);
	ready = ends[1];
	setsid();
	return true;
}

/* The terminal is released only now, so that earlier errors could be printed there. */
static void daemon_started(struct session *s)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (!s->options->json)		/* with JSON, messages are objects in the file */
		message_to_log();
	output_close(&s->outputs.messages);
	for (int fd = 0; null >= 0 && fd <= 2; fd++)
		dup2(null, fd);
	host_close(&null);
	if (write(ready, "", 1) < 0)
		message_verbose(1, "the parent has gone");
	host_close(&ready);
}

/* ---- --monitor ---- */

static void monitored_started(struct session *s)
{
	if (write(ready, s->name, strlen(s->name) + 1) < 0)
		message_verbose(1, "the parent has gone");
	host_close(&ready);
}

/* ---- one run ---- */

static void tell_service_manager(void)
{
	int err = notify_ready();

	if (err)
		message_warning("cannot tell the service manager '%s' that the session has started: %s",
				getenv("NOTIFY_SOCKET"), strerror(err));
}

static void session_started(struct session *s)
{
	if (s->options->daemon)
		daemon_started(s);
	else if (s->options->monitor)
		monitored_started(s);
	tell_service_manager();
}

static enum tap_status cannot_open(const char *name, int err)
{
	message_error(err == EPROTO ? "module '%s' and taprun are from different versions of tapc: rebuild it" :
		      err == ENOENT ? "no module '%s' of tapc is loaded" :
		      err == EBUSY ? "module '%s' belongs to a session that is attached" :
				     "cannot open the session of module '%s': %s", name, strerror(err));
	return TAP_STATUS_LOAD;
}

/* Loads the module without tapd. */
static enum tap_status load_module(struct session *s, struct module *m)
{
	const struct tap_owner owner = { .user = getuid(), .flags = TAP_OWNER_GLOBALS };
	int err;

	leftover_remove(s->proc);
	err = module_load(m);
	if (!err) {
		err = control_open(&s->control, s->proc, m->name, true);
		if (!err && owner.user)
			err = control_own(&s->control, &owner);
		if (err) {
			cannot_open(m->name, err);
			control_close(&s->control);
			leftover_unload(s->proc, m->name);
		}
	}
	return err ? TAP_STATUS_LOAD : TAP_STATUS_OK;
}

/* Options that were given to tapc -p4 apply as if they were given now. */
static void take_options(struct session *s, const struct module *m)
{
	s->kept = *s->options;
	for (const char *path = NULL; (path = module_info(m, "tap_image", path)) != NULL;)
		options_add_image(&s->kept, host_printf("%s", path));
	s->kept.ldd |= module_info(m, "tap_ldd", NULL) != NULL;
	s->kept.timing |= module_info(m, "tap_timing", NULL) != NULL;
	if (!s->kept.buffer)
		options_set_buffer(&s->kept, module_info(m, "tap_buffer", NULL));
	if (module_info(m, "tap_bulk", NULL) && !s->kept.names.format)
		message_warning("'%s' was made with -b: with -o FILE, each CPU gets a file", m->path);
	else
		s->kept.bulk |= module_info(m, "tap_bulk", NULL) != NULL;
	s->options = &s->kept;
}

static enum tap_status check_module(struct session *s, struct module *m)
{
	const struct options *o = s->options;

	if (!module_read(m, o->module))
		return TAP_STATUS_LOAD;
	take_options(s, m);
	/* otherwise tapd does this */
	if (!s->client && (!privilege_check(m) || (o->rename && !module_rename(m))))
		return TAP_STATUS_LOAD;
	if (o->target && kill(o->target, 0) < 0 && errno == ESRCH) {
		message_error("no process %d (-x)", (int)o->target);
		return TAP_STATUS_TARGET;
	}
	return cgroup_find(o, &s->cgroup);
}

static bool unload_module(struct session *s)
{
	return s->client ? client_end(s->client) == 0 : leftover_unload(s->proc, s->name);
}

/* Runs the loaded module, and unloads it unless it was detached. */
static enum tap_status run_loaded(struct session *s, enum tap_status status)
{
	if (!status)
		session_run(s);
	session_close(s);
	if (s->phase != SESSION_DETACHED && !unload_module(s) && !status)
		status = TAP_STATUS_HOST;
	return status;
}

/* If a session cannot start, a text file remains unchanged; a JSON file gets the reason as an object. */
static enum tap_status open_outputs(struct session *s, bool early)
{
	return s->options->json == early ? session_open_outputs(s) : TAP_STATUS_OK;
}

static enum tap_status run_module(struct session *s)
{
	enum tap_status status;
	struct module m = { 0 };

	if ((status = open_outputs(s, true)) == 0 && (status = check_module(s, &m)) == 0 &&
	    (status = open_outputs(s, false)) == 0 &&
	    (status = s->client ? client_load(s->client, &m, s->options->rename, &s->control)
				: load_module(s, &m)) == 0) {
		module_drop_file(&m);
		memcpy(s->name, m.name, sizeof(s->name));
		status = run_loaded(s, session_prepare(s));
	}
	module_free(&m);
	return status;
}

static enum tap_status run_attached(struct session *s)
{
	enum tap_status status = open_outputs(s, true);
	int err;

	if (status)
		return status;
	if (!s->client && !privilege_check_process())
		return TAP_STATUS_LOAD;
	if (!module_name_of(s->options->module, s->name)) {
		message_error("'%s' is not a module name (-A)", s->options->module);
		return TAP_STATUS_LOAD;
	}
	if (!listing_complete(s->proc, s->name))
		return TAP_STATUS_LOAD;
	if (s->options->snapshot)
		return listing_snapshot(s->proc, s->name);
	if (s->options->stop && listing_is_held(s->proc, s->name))
		return listing_stop(s->proc, s->name);
	if (s->client)
		status = client_attach(s->client, s->name, &s->control);
	else if ((err = control_open(&s->control, s->proc, s->name, true)) != 0)
		status = cannot_open(s->name, err);
	if (status || (status = session_attach(s)) != 0 || (status = open_outputs(s, false)) != 0) {
		session_close(s);		/* the session stays as it was */
		return status;
	}
	tell_service_manager();
	return run_loaded(s, TAP_STATUS_OK);
}

/* tapd is used only by users without the right to load modules. */
static bool use_daemon(struct client *c)
{
	return !privilege_is_there() && client_open(c);
}

/* The lock is held until this process ends in any way; its children do not inherit it. */
static enum tap_status take_lock(const char *path)
{
	int fd = create_open(path, O_RDWR, 0600);

	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
		return TAP_STATUS_OK;
	if (fd >= 0 && errno == EWOULDBLOCK) {
		message_error("another run holds '%s' (--lock)", path);
		return TAP_STATUS_LOCKED;
	}
	message_error("cannot lock '%s': %s", path, create_error(errno));
	return TAP_STATUS_HOST;
}

static enum tap_status run(const struct options *o)
{
	enum tap_status status;
	int signals = signals_open();
	struct client client;
	struct session s;

	if (signals < 0) {
		message_error("cannot receive signals: %s", strerror(errno));
		return TAP_STATUS_HOST;
	}
	session_init(&s, o, CONTROL_PROC, signals);
	s.started = session_started;
	s.client = use_daemon(&client) ? &client : NULL;
	status = o->lock ? take_lock(o->lock) : TAP_STATUS_OK;
	if (!status)
		status = o->attach ? run_attached(&s) : run_module(&s);
	status = session_finish(&s, status);
	if (s.client)
		client_close(s.client);
	if (!status)			/* begin probes may have ended it */
		tell_service_manager();
	return status;
}

/* ---- --flame ---- */

/* Keeps the output in memory until the end. */
static int collect_stacks(struct options *o)
{
	int fd = memfd_create("stacks", MFD_CLOEXEC);

	if (fd < 0)
		message_error("cannot keep the output: %s", strerror(errno));
	else
		o->names.format = host_printf("/proc/self/fd/%d", fd);
	return fd;
}

static enum tap_status draw_stacks(int fd, const char *path)
{
	size_t size;
	_cleanup_free_ char *text = lseek(fd, 0, SEEK_SET) < 0 ? NULL : host_read_file(fd, MOST_STACKS, &size);
	int svg_fd = text ? create_open(path, O_WRONLY | O_TRUNC, 0666) : -1;
	FILE *svg = svg_fd < 0 ? NULL : fdopen(svg_fd, "we");
	bool any = svg && flame_draw(svg, text, size, stdout);

	if (!text || !svg || ferror(svg) || fclose(svg) || fflush(stdout)) {
		message_error("cannot write '%s': %s", path, create_error(errno));
		return TAP_STATUS_HOST;
	}
	if (!any)
		message_warning("no folded stacks were printed, so '%s' is empty: expected lines like "
				"\"main;read;vfs_read 42\"", path);
	return TAP_STATUS_OK;
}

static enum tap_status run_for_flame(struct options *o)
{
	int fd = collect_stacks(o);
	enum tap_status status, drawn;

	if (fd < 0)
		return TAP_STATUS_HOST;
	status = run(o);
	drawn = draw_stacks(fd, o->flame);
	return status ? status : drawn;
}

/* Runs under the screen, which owns the terminal, so without colours. */
static enum tap_status run_monitored(void *options, int started)
{
	const struct options *o = options;

	ready = started;
	message_open(COLOUR_NEVER, o->no_warnings, o->verbose);
	return run(o);
}

/* ---- -d ---- */

static enum tap_status remove_by_daemon(const struct options *o)
{
	enum tap_status status = TAP_STATUS_OK;

	for (int i = 0; i < o->word_count; i++) {
		struct client client;
		enum tap_status one;

		if (!client_open(&client))
			return TAP_STATUS_HOST;
		one = client_remove(&client, o->words[i]);
		client_close(&client);
		status = status ? status : one;
	}
	return status;
}

static enum tap_status remove_modules(const struct options *o)
{
	struct client client;

	if (use_daemon(&client)) {
		client_close(&client);
		return remove_by_daemon(o);
	}
	if (!privilege_check_process())
		return TAP_STATUS_LOAD;
	if (!leftover_delete(CONTROL_PROC, o->words, o->word_count))
		return TAP_STATUS_LOAD;
	return TAP_STATUS_OK;
}

int main(int argc, char **argv)
{
	struct options o;
	int status;

	host_standard_files();
	default_path_set();
	status = options_parse(&o, argc, argv);
	if (status >= 0)
		return status;
	message_open(o.colour, o.no_warnings, o.verbose);
	if (o.daemon && !become_daemon())
		return TAP_STATUS_HOST;
	status = o.sessions ? listing_print(CONTROL_PROC) : o.merge ? merge_run(o.words, o.word_count) :
		 o.monitored ? monitor_look(CONTROL_PROC, o.monitored, o.monitor_seconds) :
		 o.monitor ? monitor_run(CONTROL_PROC, o.monitor_seconds, run_monitored, &o) :
		 o.remove ? remove_modules(&o) : o.flame ? run_for_flame(&o) : run(&o);
	if (status && o.pass)
		message_verbose(0, "Pass 5: run failed.  [man error::pass5]");
	message_close();
	return status;
}
