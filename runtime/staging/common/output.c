// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes text without blocking. A slow or stopped reader must not stop taprun, which has to handle signals and
 * unload a module. So pipes and terminals are reopened through /proc/self/fd with O_NONBLOCK: setting the flag
 * on the inherited open file description would change it for every process that shares it, such as the user's
 * shell. */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "create.h"
#include "host.h"
#include "message.h"

enum { FLUSH_AT = 64 << 10 };

static void open_own_description(struct output *o, int fd)
{
	char path[32];
	int own;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	own = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	o->kind = own < 0 ? OUTPUT_SHARED : OUTPUT_NONBLOCKING;
	o->fd = own < 0 ? fd : own;
	o->own = own >= 0;
}

void output_open(struct output *o, int fd)
{
	struct stat st;

	*o = (struct output){ .fd = fd, .cpu = -1, .progress = host_now() };
	if (fstat(fd, &st) < 0)
		return;
	if (S_ISREG(st.st_mode))
		o->base = fcntl(fd, F_GETFL) & O_APPEND ? st.st_size : lseek(fd, 0, SEEK_CUR);
	else if (S_ISSOCK(st.st_mode))
		o->kind = OUTPUT_SOCKET;
	else if (S_ISFIFO(st.st_mode) || (S_ISCHR(st.st_mode) && isatty(fd)))
		open_own_description(o, fd);
}

/* ---- files ---- */

static char *file_path(const struct output *o)
{
	char base[PATH_MAX], cpu[16] = "", number[16] = "";
	time_t now = time(NULL);
	struct tm tm;

	localtime_r(&now, &tm);
	if (!strftime(base, sizeof(base), o->names->format, &tm))
		return NULL;
	if (o->names->inside) {
		mkdir(base, 0777);	/* if it fails, so does opening the file */
		return host_printf("%s/%s", base, o->names->inside);
	}
	if (o->cpu >= 0)
		snprintf(cpu, sizeof(cpu), "_cpu%d", o->cpu);
	if (o->names->size || o->number)
		snprintf(number, sizeof(number), ".%u", o->number);
	return host_printf("%s%s%s", base, cpu, number);
}

char *output_times_path(const char *path)
{
	const char *mark = NULL;

	for (const char *next = path; (next = strstr(next, "_cpu")); next++)
		mark = next;
	return mark ? host_printf("%.*s_times%s", (int)(mark - path), path, mark + strlen("_cpu")) : NULL;
}

static void open_times(struct output *o)
{
	struct output *times = o->times;
	struct output_times head = { .cpu = (uint32_t)o->cpu, .number = o->number };

	*times = (struct output){ .fd = -1, .cpu = -1, .own = true, .path = output_times_path(o->path) };
	times->fd = create_open(times->path, O_WRONLY | O_TRUNC, 0666);
	if (times->fd < 0) {
		times->error = errno;
		message_error("cannot write to '%s': %s", times->path, create_error(errno));
	}
	memcpy(head.magic, OUTPUT_TIMES_MAGIC, sizeof(head.magic));
	output_text(times, (const char *)&head, sizeof(head));
}

/* Records the time of the text added since the last call, which is one handler's. */
static void note_time(struct output *o)
{
	struct output_time time = { o->stamp, o->size - o->timed };

	o->timed = o->size;
	if (o->times && time.size)
		output_text(o->times, (const char *)&time, sizeof(time));
}

static int open_file(struct output *o)
{
	struct stat st;

	o->size = o->timed = 0;
	o->path = file_path(o);
	if (!o->path) {
		message_error("the file name '%s' is empty or too long", o->names->format);
		return o->error = ENAMETOOLONG;
	}
	o->fd = create_open(o->path, O_WRONLY | O_TRUNC, 0666);
	if (o->fd < 0) {
		o->error = errno;
		message_error("cannot write to '%s': %s", o->path, create_error(o->error));
		return o->error;
	}
	o->own = true;
	if (fstat(o->fd, &st) == 0 && !S_ISREG(st.st_mode) && fcntl(o->fd, F_SETFL, O_NONBLOCK) == 0)
		o->kind = OUTPUT_NONBLOCKING;
	if (o->times)
		open_times(o);
	return 0;
}

int output_open_file(struct output *o, const struct output_names *names, int cpu, struct output *times)
{
	*o = (struct output){ .fd = -1, .cpu = cpu, .names = names, .times = times, .progress = host_now() };
	if (names->most > 1)
		o->older = host_alloc((names->most - 1) * sizeof(*o->older));
	return open_file(o);
}

static void remove_file(const struct output *o, const char *path)
{
	_cleanup_free_ char *times = o->times ? output_times_path(path) : NULL;

	unlink(path);
	if (times)
		unlink(times);
}

/* The finished file becomes the newest of the older files; the oldest is removed. */
static void keep_or_remove(struct output *o)
{
	unsigned n = o->names->most;
	char *oldest = o->path;

	if (n == 0)
		;
	else if (n == 1)
		remove_file(o, o->path);
	else {
		oldest = o->older[n - 2];
		if (oldest)
			remove_file(o, oldest);
		memmove(o->older + 1, o->older, (n - 2) * sizeof(*o->older));
		o->older[0] = o->path;
	}
	free(oldest);
	o->path = NULL;
}

const char *output_name(const struct output *o)
{
	return o->path ? o->path : "standard output";
}

/* A reader that has closed its pipe is not reported; a full disk is. */
static void fail(struct output *o, int err)
{
	o->error = err;
	o->start = o->end = 0;
	if (err != EPIPE)
		message_error("cannot write to '%s': %s", output_name(o), strerror(err));
}

static void close_file(struct output *o)
{
	if (o->own && o->fd >= 0 && close(o->fd) < 0 && errno != EINTR && !o->error)
		fail(o, errno);
	o->fd = -1;
}

void output_next_file(struct output *o)
{
	if (!o->names || o->error)
		return;
	note_time(o);
	if (!output_flush(o))	/* -o with a pipe has no next file */
		return;
	close_file(o);
	if (o->error)
		return;
	if (o->times)
		output_close(o->times);
	keep_or_remove(o);
	o->number++;
	open_file(o);
}

void output_boundary(struct output *o)
{
	note_time(o);
	if (o->names && o->names->size && o->size >= o->names->size)
		output_next_file(o);
}

/* ---- writing ---- */

/* Like write, but fails with EAGAIN rather than wait. */
static ssize_t write_some(struct output *o, const char *data, size_t size)
{
	struct pollfd p = { .fd = o->fd, .events = POLLOUT };

	switch (o->kind) {
	case OUTPUT_SOCKET:
		return send(o->fd, data, size, MSG_DONTWAIT | MSG_NOSIGNAL);
	case OUTPUT_SHARED:
		if (poll(&p, 1, 0) == 0) {
			errno = EAGAIN;
			return -1;
		}
		/* a pipe that polls as writable takes PIPE_BUF bytes (pipe(7)) */
		return write(o->fd, data, size < PIPE_BUF ? size : PIPE_BUF);
	case OUTPUT_FILE:
	case OUTPUT_NONBLOCKING:
		break;
	}
	return write(o->fd, data, size);
}

bool output_flush(struct output *o)
{
	while (output_pending(o)) {
		ssize_t n = write_some(o, o->data + o->start, output_pending(o));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return false;
		if (n <= 0) {
			fail(o, n < 0 ? errno : ENOSPC);
			break;
		}
		o->start += (size_t)n;
		o->progress = host_now();
	}
	o->start = o->end = 0;
	return true;
}

char *output_make_room(struct output *o, size_t size)
{
	if (o->start) {
		memmove(o->data, o->data + o->start, output_pending(o));
		o->end -= o->start;
		o->start = 0;
	}
	if (o->room - o->end < size) {
		o->room = (o->end + size) * 2 > FLUSH_AT * 2 ? (o->end + size) * 2 : FLUSH_AT * 2;
		o->data = host_grow(o->data, o->room);
	}
	return o->data + o->end;
}

void output_used(struct output *o, size_t size)
{
	if (!output_pending(o))
		o->progress = host_now();
	o->end += size;
	o->size += size;
	if (o->error)
		o->start = o->end = 0;
	else if (output_pending(o) >= FLUSH_AT)
		output_flush(o);
}

void output_text(struct output *o, const char *text, size_t size)
{
	if (!size || o->error)
		return;
	memcpy(output_room(o, size), text, size);
	output_used(o, size);
}

bool output_has_end(const struct output *o)
{
	struct stat st;

	return o->fd >= 0 && fstat(o->fd, &st) == 0 && S_ISREG(st.st_mode) && !(fcntl(o->fd, F_GETFL) & O_APPEND);
}

/* Returns how many bytes could be written, with errno if that is not all. */
static size_t write_at(const struct output *o, const char *data, size_t size, off_t at)
{
	size_t done = 0;

	while (done < size) {
		ssize_t n = pwrite(o->fd, data + done, size - done, at + (off_t)done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		done += (size_t)n;
	}
	return done;
}

bool output_end(struct output *o, const char *data, size_t size, size_t kept)
{
	size_t done;
	off_t at;

	output_flush(o);
	if (o->error)
		return false;
	at = lseek(o->fd, 0, SEEK_CUR);
	done = write_at(o, data, size, at);
	if (done < size || ftruncate(o->fd, at + (off_t)size) < 0 || lseek(o->fd, at + (off_t)kept, SEEK_SET) < 0) {
		o->end_size = done > o->end_size ? done : o->end_size;
		fail(o, errno);
		return false;
	}
	o->end_size = size - kept;
	o->size += kept;
	return true;
}

uint64_t output_taken(const struct output *o)
{
	struct stat st;
	off_t at = o->fd >= 0 && fstat(o->fd, &st) == 0 && S_ISREG(st.st_mode) ? lseek(o->fd, 0, SEEK_CUR) : 0;

	return at > o->base ? (uint64_t)(at - o->base) + o->end_size : 0;
}

bool output_replace_end(struct output *o, uint64_t kept, const char *end, size_t size)
{
	off_t at = (off_t)kept + o->base;

	return ftruncate(o->fd, at) == 0 && lseek(o->fd, at, SEEK_SET) == at &&
	       write(o->fd, end, size) == (ssize_t)size;
}

void output_close(struct output *o)
{
	output_flush(o);
	close_file(o);
	free(o->data);
	free(o->path);
	if (o->older)
		for (unsigned i = 0; i + 1 < o->names->most; i++)
			free(o->older[i]);
	free(o->older);
	*o = (struct output){ .fd = -1, .error = o->error, .cpu = -1 };
}

/* ---- all outputs of a session ---- */

static struct output *output_at(struct outputs *o, uint32_t i)
{
	if (i >= 2 + o->cpus)
		return &o->times[i - 2 - o->cpus];
	return i == 0 ? &o->text : i == 1 ? &o->messages : &o->bulk[i - 2];
}

static uint32_t output_count(const struct outputs *o)
{
	return 2 + o->cpus + (o->times ? o->cpus : 0);
}

#define for_each_output(one, o) \
	for (uint32_t at_ = 0; at_ < output_count(o) && ((one) = output_at((o), at_)); at_++)

static bool same_file(int a, int b)
{
	struct stat one, two;

	return fstat(a, &one) == 0 && fstat(b, &two) == 0 && one.st_dev == two.st_dev &&
	       one.st_ino == two.st_ino;
}

static void add_message(void *to, const char *line, size_t size)
{
	output_text(to, line, size);
}

static bool flush_messages(void *to)
{
	return output_flush(to);
}

void output_take_messages(struct output *o)
{
	message_through(&(struct message_buffer){ add_message, flush_messages, o });
}

/* If stderr and stdout are the same file, messages go through the same buffer and keep their place. */
int outputs_open(struct outputs *o, const struct output_names *names, bool bulk, bool beside)
{
	int err = 0;

	*o = (struct outputs){ .text.fd = -1, .messages.fd = -1, .names = names };
	if (!names->format)
		output_open(&o->text, 1);
	else if (!bulk || beside)
		err = output_open_file(&o->text, names, -1, NULL);
	output_open(&o->messages, 2);
	output_take_messages(!names->format && same_file(1, 2) ? &o->text : &o->messages);
	return err;
}

static struct output *closed_outputs(uint32_t count)
{
	struct output *all = host_alloc(count * sizeof(*all));

	for (uint32_t i = 0; i < count; i++)
		all[i].fd = -1;
	return all;
}

void outputs_open_bulk(struct outputs *o, uint32_t cpus, bool timed)
{
	o->bulk = closed_outputs(cpus);
	o->times = timed ? closed_outputs(cpus) : NULL;
	o->cpus = cpus;
}

struct output *outputs_of(struct outputs *o, uint32_t cpu)
{
	if (!o->bulk)
		return &o->text;
	if (!o->bulk[cpu].names)
		output_open_file(&o->bulk[cpu], o->names, (int)cpu, o->times ? &o->times[cpu] : NULL);
	return &o->bulk[cpu];
}

bool outputs_full(struct outputs *o)
{
	struct output *one;

	if (!o->cpus)
		return output_full(&o->text) || output_full(&o->messages);
	for_each_output(one, o)
		if (output_full(one))
			return true;
	return false;
}

bool outputs_flush(struct outputs *o)
{
	struct output *one;
	bool all = true;

	for_each_output(one, o)
		all = output_flush(one) && all;
	return all;
}

static bool is_stuck(const struct output *o, uint64_t ns)
{
	return output_pending(o) && host_now() - o->progress > ns;
}

bool outputs_stuck(struct outputs *o, uint64_t ns)
{
	struct output *one;

	for_each_output(one, o)
		if (is_stuck(one, ns))
			return true;
	return false;
}

bool outputs_abandon(struct outputs *o, uint64_t ns)
{
	struct output *one;
	bool any = false;

	for_each_output(one, o)
		if (is_stuck(one, ns)) {
			one->error = ECANCELED;
			one->start = one->end = 0;
			any = true;
		}
	return any;
}

void outputs_next_file(struct outputs *o)
{
	struct output *one;

	for_each_output(one, o)
		output_next_file(one);
}

int outputs_error(struct outputs *o)
{
	struct output *one;
	int err = 0;

	for_each_output(one, o)
		if (one != &o->messages && one->error && (!err || err == EPIPE))
			err = one->error;
	return err;
}

void outputs_close(struct outputs *o)
{
	struct output *one;

	outputs_flush(o);
	message_through(NULL);		/* errors found while closing go directly to stderr */
	for_each_output(one, o)
		output_close(one);
	o->text.error = outputs_error(o);
	o->cpus = 0;
	free(o->bulk);
	free(o->times);
	o->bulk = o->times = NULL;
}
