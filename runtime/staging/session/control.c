// SPDX-License-Identifier: GPL-2.0-or-later
/* Each command is a single write, because procfs splits a writev. TAP_START and TAP_STOP run the script's begin
 * and end probes before they return. The output of these must be read meanwhile, or it would be lost, so these
 * writes are made by a separate thread. */
#include "control.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi/tap_globals.h"
#include "common/host.h"

static int open_file(struct control *c, bool patient)
{
	for (int tries = patient ? 20 : 0;; tries--) {
		c->fd = openat(c->dir, "control", O_RDWR | O_CLOEXEC | O_NONBLOCK);
		if (c->fd >= 0 || errno != EBUSY || !tries)
			return c->fd < 0 ? errno : 0;
		host_sleep_ms(10);
	}
}

/* Opens the directory. */
static int open_session(struct control *c, const char *proc, const char *name)
{
	_cleanup_free_ char *path = host_printf("%s/" TAP_PROC_PREFIX "%s", proc, name);

	*c = (struct control){ .fd = -1, .done = -1 };
	c->dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return c->dir < 0 ? errno : 0;
}

/* The open directory belongs to one module; the name may belong to another module later. */
static int check_owner(const struct control *c, uid_t user)
{
	struct stat st;

	if (fstatat(c->dir, "monitor", &st, 0) < 0)
		return errno;
	return user && st.st_uid != user ? EACCES : 0;
}

static int open_control(struct control *c, const char *proc, const char *name, const uid_t *user, bool patient)
{
	int err = open_session(c, proc, name);

	if (!err && user)
		err = check_owner(c, *user);
	if (!err)
		err = open_file(c, patient);
	if (!err)
		err = control_read(c);
	if (err)
		control_close(c);
	return err;
}

int control_open(struct control *c, const char *proc, const char *name, bool patient)
{
	return open_control(c, proc, name, NULL, patient);
}

int control_open_of(struct control *c, const char *proc, const char *name, uid_t user, bool patient)
{
	return open_control(c, proc, name, &user, patient);
}

int control_send(struct control *c, u16 kind, const void *payload, size_t size)
{
	_cleanup_free_ char *message = host_alloc(sizeof(struct tap_command) + size);
	struct tap_command head = { TAP_WIRE_MAGIC, TAP_WIRE_VERSION, kind, (u32)size };
	ssize_t n;

	if (size > UINT32_MAX - sizeof(head))
		return E2BIG;
	memcpy(message, &head, sizeof(head));
	if (size)
		memcpy(message + sizeof(head), payload, size);
	do {
		n = pwrite(c->fd, message, sizeof(head) + size, 0);	/* other readers share the file position */
	} while (n < 0 && errno == EINTR);
	return n < 0 ? errno : 0;
}

int control_send_number(struct control *c, u16 kind, u32 number)
{
	return control_send(c, kind, &number, sizeof(number));
}

int control_own(struct control *c, const struct tap_owner *owner)
{
	return control_send(c, TAP_OWN, owner, sizeof(*owner));
}

/* ---- commands in a thread ---- */

static void *run(void *control)
{
	struct control *c = control;
	uint64_t one = 1;

	c->result = control_send(c, c->kind, NULL, 0);
	while (write(c->done, &one, sizeof(one)) < 0 && errno == EINTR)
		;
	return NULL;
}

void control_begin(struct control *c, u16 kind)
{
	sigset_t all, before;

	c->kind = kind;
	c->running = true;
	if (c->done < 0)
		c->done = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	if (c->done < 0 || pthread_create(&c->thread, NULL, run, c) != 0) {
		c->thread = pthread_self();	/* no thread available: run it here, without reading meanwhile */
		run(c);
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

int control_finish(struct control *c)
{
	uint64_t count;

	if (!pthread_equal(c->thread, pthread_self()))
		pthread_join(c->thread, NULL);
	while (c->done >= 0 && read(c->done, &count, sizeof(count)) < 0 && errno == EINTR)
		;
	c->running = false;
	return c->result;
}

/* ---- the report ---- */

static ssize_t read_at_start(int fd, void *data, size_t size)
{
	ssize_t n;

	do {
		n = pread(fd, data, size, 0);
	} while (n < 0 && errno == EINTR);
	return n;
}

static bool is_report(const struct tap_report *r, ssize_t size)
{
	return size >= (ssize_t)sizeof(*r) && r->magic == TAP_WIRE_MAGIC &&
	       r->version == TAP_WIRE_VERSION && r->size == sizeof(*r);
}

int control_read(struct control *c)
{
	struct tap_report r;
	ssize_t n = read_at_start(c->fd, &r, sizeof(r));

	if (n < 0)
		return errno;
	if (!is_report(&r, n))
		return EPROTO;
	c->report = r;
	return 0;
}

struct tap_probe_report *control_read_probes(struct control *c)
{
	size_t count = c->report.probe_count, size;
	_cleanup_free_ char *data = NULL;
	struct tap_probe_report *probes;

	if (c->report.report_size != sizeof(*probes) || count > 1 << 20) {
		errno = EPROTO;
		return NULL;
	}
	size = sizeof(c->report) + count * sizeof(*probes);
	data = host_alloc(size);
	if (read_at_start(c->fd, data, size) != (ssize_t)size) {
		errno = EPROTO;
		return NULL;
	}
	probes = host_alloc(count * sizeof(*probes));
	memcpy(probes, data + sizeof(c->report), count * sizeof(*probes));
	return probes;
}

char *control_read_globals(const struct control *c, size_t *size)
{
	_cleanup_close_ int fd = openat(c->dir, "globals", O_RDONLY | O_CLOEXEC);

	return fd < 0 ? NULL : host_read_file(fd, TAP_MOST_GLOBALS, size);
}

void control_close(struct control *c)
{
	if (c->running)
		control_finish(c);
	host_close(&c->fd);
	host_close(&c->dir);
	host_close(&c->done);
}

/* ---- monitoring ---- */

int control_open_monitor(struct control *c, const char *proc, const char *name)
{
	int err = open_session(c, proc, name);

	if (!err)
		err = control_look(c);
	if (!err)
		err = control_read(c);
	if (err)
		control_close(c);
	return err;
}

int control_look(struct control *c)
{
	c->fd = openat(c->dir, "monitor", O_RDWR | O_CLOEXEC);
	return c->fd < 0 ? errno : 0;
}

void control_look_away(struct control *c)
{
	host_close(&c->fd);
}

uid_t control_owner(const char *proc, const char *name)
{
	_cleanup_free_ char *path = host_printf("%s/" TAP_PROC_PREFIX "%s/monitor", proc, name);
	struct stat st;

	return stat(path, &st) < 0 ? (uid_t)-1 : st.st_uid;
}

void control_each(const char *proc, void (*visit)(const char *proc, const char *name, void *data),
		  void *data)
{
	const size_t prefix = strlen(TAP_PROC_PREFIX);
	DIR *dir = opendir(proc);
	struct dirent *e;

	while (dir && (e = readdir(dir)))
		if (strncmp(e->d_name, TAP_PROC_PREFIX, prefix) == 0 && e->d_name[prefix])
			visit(proc, e->d_name + prefix, data);
	if (dir)
		closedir(dir);
}
