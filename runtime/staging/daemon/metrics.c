// SPDX-License-Identifier: GPL-2.0-or-later
/* The part of HTTP that a scraper needs: GET /metrics, one response, close. A client has two seconds to send
 * its request and two to receive the response, however many bytes it transfers meanwhile. A few clients are
 * served at once. */
#include "metrics.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "session/control.h"
#include "session/exported.h"
#include "common/host.h"
#include "session/meta.h"
#include "common/signals.h"

enum { MOST_REQUEST = 8192, MOST_EXPORTED = 4 << 20, PATIENCE = 2, SERVERS = 8, MOST_WAIT = 1000000 };

/* ---- the sessions ---- */

struct session_report {
	char *name;
	struct tap_report report;
	struct tap_probe_report *probes;
	struct meta meta;
};

struct sessions {
	struct session_report *items;
	size_t count;
};

static void add_session(const char *proc, const char *name, void *data)
{
	struct session_report s = { 0 };
	struct sessions *all = data;
	struct control c;

	if (control_open_monitor(&c, proc, name) != 0)
		return;
	s.report = c.report;
	s.probes = control_read_probes(&c);
	if (s.probes && meta_read(&s.meta, c.dir)) {
		s.name = host_printf("%s", name);
		all->items = host_grow(all->items, (all->count + 1) * sizeof(s));
		all->items[all->count++] = s;
	} else {
		free(s.probes);
	}
	control_close(&c);
}

static void free_sessions(struct sessions *all)
{
	for (size_t i = 0; i < all->count; i++) {
		free(all->items[i].name);
		free(all->items[i].probes);
		meta_free(&all->items[i].meta);
	}
	free(all->items);
}

/* ---- the page ---- */

static u64 session_errors(const struct tap_report *r) { return r->errors; }
static u64 session_lost(const struct tap_report *r) { return r->lost; }
static u64 session_memory(const struct tap_report *r) { return r->memory; }
static u64 session_seconds(const struct tap_report *r)
{
	return r->started ? (r->now - r->started) / 1000000000 : 0;
}
static u64 probe_hits(const struct tap_probe_report *p) { return p->hits; }
static u64 probe_skipped(const struct tap_probe_report *p) { return p->skipped; }
static u64 probe_time(const struct tap_probe_report *p) { return p->time; }

static const struct family {
	const char *name, *type, *help;
	u64 (*of_session)(const struct tap_report *r);
	u64 (*of_probe)(const struct tap_probe_report *p);
} families[] = {
	{ "tapc_session_errors", "counter", "Soft errors of the script.", session_errors, NULL },
	{ "tapc_session_lost_records", "counter", "Records lost because buffers were full.", session_lost, NULL },
	{ "tapc_session_memory_bytes", "gauge", "Memory in the kernel.", session_memory, NULL },
	{ "tapc_session_seconds", "gauge", "Age of the session.", session_seconds, NULL },
	{ "tapc_probe_hits", "counter", "Handlers that ran.", NULL, probe_hits },
	{ "tapc_probe_skipped", "counter", "Hits that were skipped.", NULL, probe_skipped },
	{ "tapc_probe_nanoseconds", "counter", "Time in handlers, with -t.", NULL, probe_time },
};

static void write_sample(FILE *page, const struct family *f, const struct session_report *s, u32 row)
{
	u64 value = f->of_session ? f->of_session(&s->report) : f->of_probe(&s->probes[row]);

	fprintf(page, "%s%s{session=\"", f->name, strcmp(f->type, "counter") == 0 ? "_total" : "");
	exported_write_label(page, s->name);
	if (f->of_probe) {
		fputs("\",probe=\"", page);
		exported_write_label(page, s->meta.probes[row].point);
		fputs("\",position=\"", page);
		exported_write_label(page, s->meta.probes[row].position);
		fprintf(page, "\",row=\"%u", row);
	}
	fprintf(page, "\"} %llu\n", value);
}

static void write_family(FILE *page, const struct family *f, const struct sessions *all)
{
	fprintf(page, "# TYPE %s %s\n# HELP %s %s\n", f->name, f->type, f->name, f->help);
	for (size_t i = 0; i < all->count; i++) {
		const struct session_report *s = &all->items[i];
		u32 rows = f->of_session ? 1 : s->report.probe_count;

		for (u32 row = 0; row < rows && (f->of_session || row < s->meta.probe_count); row++)
			write_sample(page, f, s, row);
	}
}

/* Returns the number of lines left out. */
static unsigned write_exported(struct exported *all, FILE *page, unsigned session, const char *proc, const char *name)
{
	_cleanup_free_ char *path = host_printf("%s/systemtap/%s/metrics", proc, name);
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	size_t size;
	_cleanup_free_ char *text = fd < 0 ? NULL : host_read_file(fd, MOST_EXPORTED, &size);

	return text ? exported_write(all, page, session, text) : 0;
}

static void write_all_exported(FILE *page, const char *proc, const struct sessions *all)
{
	static const char name[] = "tapc_session_bad_lines";
	unsigned *bad = host_alloc(all->count * sizeof(*bad) + 1);
	struct exported exported = { 0 };

	for (size_t i = 0; i < all->count; i++)
		bad[i] = write_exported(&exported, page, (unsigned)i, proc, all->items[i].name);
	fprintf(page, "# TYPE %s gauge\n# HELP %s Exported lines that are not OpenMetrics or use a taken name.\n",
		name, name);
	for (size_t i = 0; i < all->count; i++) {
		fprintf(page, "%s{session=\"", name);
		exported_write_label(page, all->items[i].name);
		fprintf(page, "\"} %u\n", bad[i]);
	}
	exported_free(&exported);
	free(bad);
}

static char *make_page(const char *proc, size_t *size)
{
	struct sessions all = { 0 };
	char *text = NULL;
	FILE *page = open_memstream(&text, size);

	if (!page)
		return NULL;
	control_each(proc, add_session, &all);
	for (size_t i = 0; i < ARRAY_SIZE(families); i++)
		write_family(page, &families[i], &all);
	write_all_exported(page, proc, &all);
	fputs("# EOF\n", page);
	fclose(page);
	free_sessions(&all);
	return text;
}

/* ---- HTTP ---- */

/* False if FD is not READY before UNTIL. */
static bool await(int fd, short ready, uint64_t until)
{
	struct pollfd p = { .fd = fd, .events = ready };
	uint64_t now = host_now();

	uint64_t ms = now < until ? (until - now) / 1000000 + 1 : 0;

	return ms && poll(&p, 1, ms < MOST_WAIT ? (int)ms : MOST_WAIT) > 0;
}

static void send_all(int fd, const char *data, size_t size, uint64_t until)
{
	while (size && await(fd, POLLOUT, until)) {
		ssize_t n = send(fd, data, size, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (n <= 0)
			return;
		data += n;
		size -= (size_t)n;
	}
}

static void answer(int fd, const char *status, const char *type, const char *text, size_t size)
{
	_cleanup_free_ char *head = host_printf("HTTP/1.0 %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n"
						"Connection: close\r\n\r\n", status, type, size);

	uint64_t until = host_now() + PATIENCE * 1000000000ull;

	send_all(fd, head, strlen(head), until);
	send_all(fd, text, size, until);
}

/* Reads the request up to the empty line; false if it is incomplete. */
static bool read_request(int fd, char request[MOST_REQUEST])
{
	uint64_t until = host_now() + PATIENCE * 1000000000ull;
	size_t used = 0;

	while (used < MOST_REQUEST - 1 && await(fd, POLLIN, until)) {
		ssize_t n = recv(fd, request + used, MOST_REQUEST - 1 - used, MSG_DONTWAIT);

		if (n <= 0)
			return false;
		used += (size_t)n;
		request[used] = 0;
		if (strstr(request, "\r\n\r\n") || strstr(request, "\n\n"))
			return true;
	}
	return false;
}

static void serve_one(int fd, const char *proc)
{
	static const char type[] = "application/openmetrics-text; version=1.0.0; charset=utf-8";
	_cleanup_free_ char *page = NULL;
	char request[MOST_REQUEST];
	size_t size = 0;

	if (!read_request(fd, request))
		return;
	if (strncmp(request, "GET /metrics ", 13) != 0 && strncmp(request, "GET /metrics?", 13) != 0)
		answer(fd, "404 Not Found", "text/plain", "there is /metrics\n", 18);
	else if ((page = make_page(proc, &size)))
		answer(fd, "200 OK", type, page, size);
}

/* ---- processes ---- */

static _Noreturn void serve_all(int listener, const char *proc)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) {
		int fd = await(listener, POLLIN, UINT64_MAX) ? accept4(listener, NULL, NULL, SOCK_CLOEXEC) : -1;

		if (fd >= 0)
			serve_one(fd, proc);
		host_close(&fd);
	}
}

static void fork_server(pid_t *pid, int listener, const char *proc)
{
	*pid = fork();
	if (*pid == 0)
		serve_all(listener, proc);
}

/* True if this process must end. */
static bool on_signals(int signals, pid_t servers[SERVERS], int listener, const char *proc)
{
	struct signalfd_siginfo info;
	bool end = false;
	pid_t pid;

	while (signals_next(signals, &info))
		end |= info.ssi_signo == SIGTERM || info.ssi_signo == SIGINT;
	while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
		for (unsigned i = 0; i < SERVERS && !end; i++)
			if (servers[i] == pid)
				fork_server(&servers[i], listener, proc);
	return end;
}

void metrics_serve(int listener, int signals, const char *proc)
{
	pid_t servers[SERVERS];
	struct pollfd p = { .fd = signals, .events = POLLIN };

	for (unsigned i = 0; i < SERVERS; i++)
		fork_server(&servers[i], listener, proc);
	do
		poll(&p, 1, -1);
	while (!on_signals(signals, servers, listener, proc));
	for (unsigned i = 0; i < SERVERS; i++)
		if (servers[i] > 0)
			kill(servers[i], SIGKILL);
}
