// SPDX-License-Identifier: GPL-2.0-or-later
/* Sessions in which each registration of a probe fails in turn, or each allocation and each copy from or to user space.
 *
 *	failing registrations|STEP MOST MODULE.ko [FIRST]	STEP: load configure start look stop close unload
 *
 * The module has a parameter that makes a registration fail. Allocations fail by the kernel's fault injection, which
 * counts those of a thread (/proc/thread-self/fail-nth): STEP is taken with its first allocation failing, then with its
 * second, up to MOST; or from FIRST on, if a round was stopped before.
 * Regardless of the result, the module must be unloaded with nothing left in the kernel. At the end, which SIGTERM
 * brings forward, a complete session must work. The last line has the counts. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "party.h"
#include "session.h"

enum { BUFFER = 1 << 16 };	/* of a processor, in bytes */

static struct {
	const char *module;
	char name[MODULE_NAME_SIZE];
	int control, fail_nth;
	unsigned first, most;
	unsigned failures, wrong;
} our = { .control = -1, .fail_nth = -1 };

static void wrong(const char *step, unsigned n, const char *what, int err)
{
	our.wrong++;
	printf("WRONG %s, %s, failure %u: %s: %s\n", our.name, step, n, what, err ? strerror(err) : "no error");
	fflush(stdout);
}

/* ---- SIGTERM, which is blocked, so that it interrupts no system call ---- */

static void block_stop(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

static bool is_stopped(void)
{
	sigset_t set;

	return sigpending(&set) == 0 && sigismember(&set, SIGTERM);
}

/* ---- the steps of a session ---- */

static int load(void)
{
	return session_load(our.module, "", &our.control);
}

static int configure(void)
{
	const struct tap_configuration c = { .loader = getpid(), .remote = -1, .buffer = BUFFER };

	return session_command(our.control, TAP_CONFIGURE, &c, sizeof(c));
}

static int begin(void)
{
	return session_command(our.control, TAP_START, "", 0);
}

/* The room is for the largest record. */
static int visit(const char *file)
{
	static char room[BUFFER];
	struct pollfd p = { .events = POLLIN };
	char path[128];
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

/* ---- allocations ---- */

/* This write, and the read below, may be what fails. */
static void set_nth(unsigned n)
{
	char text[16];
	int size = snprintf(text, sizeof(text), "%u", n);

	while (pwrite(our.fail_nth, text, (size_t)size, 0) < 0)
		;
}

/* Whether something has failed. From then on nothing does. */
static bool has_failed(void)
{
	char text[16] = "0";
	ssize_t n;

	while ((n = pread(our.fail_nth, text, sizeof(text) - 1, 0)) < 0)
		strcpy(text, "0");
	text[n] = 0;
	set_nth(0);
	return atoi(text) == 0;
}

/* False: STEP has fewer than N allocations. */
static bool fail_nth_of(unsigned step, unsigned n, unsigned *errors)
{
	bool failed;
	int err = 0;

	for (unsigned i = 0; i < step && !err; i++)
		if ((err = steps[i].take()) != 0)
			wrong(steps[i].name, 0, "without a failure", err);
	set_nth(n);
	err = steps[step].take();
	failed = has_failed();
	*errors += err != 0;
	if (err && !failed)
		wrong(steps[step].name, n, "an error without a failure", err);
	clean_up(steps[step].name, n);
	return failed;
}

static void fail_allocations(unsigned step)
{
	unsigned n = our.first, errors = 0;

	our.fail_nth = open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC);
	if (our.fail_nth < 0)
		die("this kernel has no fault injection");
	while (n <= our.most && !is_stopped() && fail_nth_of(step, n, &errors))
		if (n++ % 10 == 0)
			printf("%s, %s: %u so far\n", our.name, steps[step].name, n - 1);
	our.failures = n - our.first;
	printf("%s, %s: %u failures, %u errors\n", our.name, steps[step].name, our.failures, errors);
	whole_session(steps[step].name, n);
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
	for (unsigned n = 1, fine = 0; n <= our.most && fine < 3 && !is_stopped(); n++) {
		bool failed = fail_registration(n);

		our.failures += failed;
		fine = failed ? 0 : fine + 1;
	}
	printf("%s: %u registrations failed\n", our.name, our.failures);
	whole_session("registrations", 0);
}

static unsigned step_of(const char *name)
{
	for (unsigned i = 0; i < STEPS; i++)
		if (!strcmp(name, steps[i].name))
			return i;
	die(name);
}

int main(int argc, char **argv)
{
	if (argc != 4 && argc != 5)
		die("registrations|STEP MOST MODULE [FIRST]");
	setvbuf(stdout, NULL, _IOLBF, 0);
	block_stop();
	our.most = (unsigned)atoi(argv[2]);
	our.module = argv[3];
	our.first = argc > 4 ? (unsigned)atoi(argv[4]) : 1;
	if (our.first < 1)
		die("FIRST is 1 or more");
	session_name(our.name, our.module);
	if (!strcmp(argv[1], "registrations"))
		fail_registrations();
	else
		fail_allocations(step_of(argv[1]));
	printf("%u failures, %u went wrong\n", our.failures, our.wrong);
	return our.wrong != 0;
}
