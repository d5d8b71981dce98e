/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The server's loop. It never translates and never waits for one peer only: it moves messages between the editor and
 * the workers. While all workers are busy, or the editor does not read, no further requests are taken. */
#include "server.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "methods.h"
#include "question.h"

/* Diagnostics wait for a pause in typing. */
enum { PAUSE = 150, MOST_UNSENT = 64 << 20 };

static bool has_worker(const struct session *s)
{
	for (size_t i = 0; i < MOST_WORKERS; i++)
		if (!s->workers[i].pid)
			return true;
	return false;
}

static bool may_take(const struct session *s)
{
	return has_worker(s) && s->wire.unsent.n < MOST_UNSENT && s->state != SESSION_ENDED;
}

static void take_messages(struct session *s)
{
	const char *text;
	size_t size;

	while (may_take(s)) {
		switch (wire_next(&s->wire, &text, &size)) {
		case WIRE_NOTHING:
			return;
		case WIRE_MESSAGE:
			methods_receive(s, text, size);
			break;
		case WIRE_BAD_HEADER:
			methods_refuse(s, RPC_PARSE_ERROR, "the header has no valid Content-Length");
			break;
		case WIRE_TOO_LARGE:
			methods_refuse(s, RPC_INVALID_REQUEST, "the message is larger than 64 MB");
			break;
		}
	}
}

/* ---- documents to diagnose ---- */

static int pause_left(const struct document *d)
{
	struct timespec now;
	int64_t passed;

	clock_gettime(CLOCK_MONOTONIC, &now);
	passed = (now.tv_sec - d->changed.tv_sec) * 1000ll + (now.tv_nsec - d->changed.tv_nsec) / 1000000;
	return passed >= PAUSE ? 0 : (int)(PAUSE - passed);
}

static void diagnose_documents(struct session *s, int *timeout)
{
	for (struct document *d = s->documents; d; d = d->next) {
		int left = d->is_dirty ? pause_left(d) : -1;

		if (left == 0)
			methods_diagnose(s, d);
		else if (left > 0 && (*timeout < 0 || left < *timeout))
			*timeout = left;
	}
}

/* ---- the loop ---- */

static void end_late_workers(struct session *s, int *timeout)
{
	for (size_t i = 0; i < MOST_WORKERS; i++)
		if (s->workers[i].pid && worker_is_late(&s->workers[i], timeout))
			methods_finish(s, &s->workers[i]);
}

static void wait_and_move(struct session *s, int timeout)
{
	struct pollfd polled[2 + MOST_WORKERS] = {
		{ .fd = may_take(s) && !s->wire.ended ? s->wire.in : -1, .events = POLLIN },
		{ .fd = s->wire.unsent.n ? s->wire.out : -1, .events = POLLOUT },
	};

	for (size_t i = 0; i < MOST_WORKERS; i++)
		polled[2 + i] = (struct pollfd){ .fd = s->workers[i].pid ? s->workers[i].fd : -1, .events = POLLIN };
	if (poll(polled, ARRAY_SIZE(polled), timeout) < 0)
		return;
	if (polled[0].revents)
		wire_receive(&s->wire);
	for (size_t i = 0; i < MOST_WORKERS; i++)
		if (polled[2 + i].revents && worker_receive(&s->workers[i]))
			methods_finish(s, &s->workers[i]);
}

/* Answers that are under way are sent before the end of input ends the session. */
static bool is_over(const struct session *s)
{
	bool idle = true;

	for (size_t i = 0; i < MOST_WORKERS; i++)
		idle = idle && !(s->workers[i].pid && s->workers[i].id);
	return s->wire.broken || (s->state == SESSION_ENDED && !s->wire.unsent.n) ||
	       (s->wire.ended && idle && !s->wire.unsent.n);
}

static void close_session(struct session *s)
{
	char reason[64];
	size_t size;

	for (size_t i = 0; i < MOST_WORKERS; i++)
		if (s->workers[i].pid) {
			worker_end(&s->workers[i], &size, reason);
			worker_forget(&s->workers[i]);
		}
	while (s->documents)
		document_close(&s->documents, s->documents);
	wire_close(&s->wire);
}

int language_server(const struct analyst *analyst)
{
	struct session s = { .analyst = analyst };
	int in = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3), out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (in < 0 || out < 0 || null < 0) {
		error_print("cannot serve: %s", strerror(errno));
		return TAP_STATUS_HOST;
	}
	dup2(null, STDIN_FILENO);	/* what programs read and print is not a message */
	dup2(STDERR_FILENO, STDOUT_FILENO);
	signal(SIGPIPE, SIG_IGN);
	wire_open(&s.wire, in, out);
	for (;;) {
		int timeout = -1;

		take_messages(&s);
		end_late_workers(&s, &timeout);
		methods_read_ahead(&s);
		diagnose_documents(&s, &timeout);
		wire_flush(&s.wire);
		if (is_over(&s))
			break;
		wait_and_move(&s, timeout);
	}
	close_session(&s);
	close(null);
	close(in);
	close(out);
	return s.ended_well ? TAP_STATUS_OK : TAP_STATUS_RUNTIME;
}
