// SPDX-License-Identifier: GPL-2.0-or-later
/* Sessions in which each registration of a probe fails in turn: the module has a parameter for that.
 *
 *	failing MOST MODULE.ko
 *
 * Regardless of the result of the start, the module must be unloaded with nothing left in the kernel. At the end a
 * complete session must work. The last line has the counts. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "party.h"
#include "session.h"

static struct {
	const char *module;
	char name[MODULE_NAME_SIZE];
	int control;
	unsigned most;
	unsigned failures, wrong;
} our = { .control = -1 };

static void wrong(const char *step, unsigned n, const char *what, int err)
{
	our.wrong++;
	printf("WRONG %s, %s, failure %u: %s: %s\n", our.name, step, n, what, err ? strerror(err) : "no error");
	fflush(stdout);
}

/* ---- the steps of a session ---- */

static int load(void)
{
	return session_load(our.module, "", &our.control);
}

static int configure(void)
{
	const struct tap_configuration c = { .loader = getpid(), .remote = -1, .buffer = 1 << 16 };

	return session_command(our.control, TAP_CONFIGURE, &c, sizeof(c));
}

static int begin(void)
{
	return session_command(our.control, TAP_START, "", 0);
}

static int visit(const char *file)
{
	struct pollfd p = { .events = POLLIN };
	char path[128], room[4096];
	int err;

	snprintf(path, sizeof(path), "/proc/tap:%s/%s", our.name, file);
	p.fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (p.fd < 0)
		return errno;
	err = poll(&p, 1, 0) < 0 || read(p.fd, room, sizeof(room)) < 0 ? errno : 0;
	close(p.fd);
	return err;
}

static int look(void)
{
	static const char *const files[] = { "monitor", "meta", "cpu0", "cpu1", "images" };
	int err = 0, now;

	for (unsigned i = 0; i < 5; i++)
		/* scripts without stacks have no images, offline CPUs have no file */
		if ((now = visit(files[i])) != 0 && now != EAGAIN && now != ENOENT)
			err = now;
	return err;
}

static int stop(void)
{
	return session_command(our.control, TAP_STOP, "", 0);
}

static int leave(void)
{
	close(our.control);
	our.control = -1;
	return 0;
}

static int unload(void)
{
	int err;

	for (int64_t until = waited_ms() + LIMIT;
	     (err = session_unload(our.name, O_NONBLOCK)) == EAGAIN && waited_ms() < until;)
		pause_ms(1);
	return err;
}

static const struct step {
	const char *name;
	int (*take)(void);
} steps[] = {
	{ "load", load }, { "configure", configure }, { "start", begin }, { "look", look }, { "stop", stop },
	{ "close", leave }, { "unload", unload },
};
enum { STEPS = sizeof(steps) / sizeof(*steps) };

/* ---- conditions to check afterwards ---- */

static bool is_there(const char *format)
{
	char path[128];

	snprintf(path, sizeof(path), format, our.name);
	return access(path, F_OK) == 0;
}

static bool has_text(const char *path)
{
	char c;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool has = fd >= 0 && read(fd, &c, 1) == 1;

	close(fd);
	return has;
}

static void clean_up(const char *step, unsigned n)
{
	int err;

	if (our.control >= 0)
		leave();
	err = unload();
	if (err && err != ENOENT)
		wrong(step, n, "unloading", err);
	if (is_there("/sys/module/%s") || is_there("/proc/tap:%s"))
		wrong(step, n, "the module stays", 0);
	if (has_text("/sys/kernel/debug/kprobes/list") || has_text("/sys/kernel/tracing/enabled_functions"))
		wrong(step, n, "something stays registered", 0);
}

/* A session in which nothing fails. */
static void whole_session(const char *after, unsigned n)
{
	for (unsigned i = 0; i < STEPS; i++) {
		int err = steps[i].take();

		if (err)
			wrong(after, n, steps[i].name, err);
	}
	clean_up(after, n);
}

/* ---- registrations ---- */

static int fail_registration(unsigned n)
{
	char parameter[32];
	int err;

	snprintf(parameter, sizeof(parameter), "fail_at=%u", n);
	err = session_load(our.module, parameter, &our.control);
	if (err)
		wrong("load", n, parameter, err);
	if (!err)
		err = session_start(our.control);
	clean_up("registration", n);
	return err;
}

/* Optional registrations may fail without an error: the end is reached when three in a row had
 * no effect. */
static void fail_registrations(void)
{
	for (unsigned n = 1, fine = 0; n <= our.most && fine < 3; n++) {
		bool failed = fail_registration(n);

		our.failures += failed;
		fine = failed ? 0 : fine + 1;
	}
	printf("%s: %u registrations failed\n", our.name, our.failures);
	whole_session("registrations", 0);
}

int main(int argc, char **argv)
{
	if (argc != 3)
		die("MOST MODULE");
	our.most = (unsigned)atoi(argv[1]);
	our.module = argv[2];
	session_name(our.name, our.module);
	fail_registrations();
	printf("%u failures, %u went wrong\n", our.failures, our.wrong);
	return our.wrong != 0;
}
