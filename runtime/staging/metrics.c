// SPDX-License-Identifier: GPL-2.0-or-later
/* As much of HTTP as a scraper needs: GET of /metrics, one answer, close. A client that is slow costs
 * the others two seconds at most. */
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
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "control.h"
#include "host.h"
#include "meta.h"
#include "signals.h"

enum { MOST_REQUEST = 8192, MOST_EXPORTED = 4 << 20, PATIENCE = 2 };

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

static void write_label(FILE *page, const char *text)
{
	for (; *text; text++)
		if (*text == '\n')
			fputs("\\n", page);
		else
			fprintf(page, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
}

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
	{ "tapc_session_lost_records", "counter", "Output lost for full buffers.", session_lost, NULL },
	{ "tapc_session_memory_bytes", "gauge", "Memory in the kernel.", session_memory, NULL },
	{ "tapc_session_seconds", "gauge", "How long it runs.", session_seconds, NULL },
	{ "tapc_probe_hits", "counter", "Handlers that ran.", NULL, probe_hits },
	{ "tapc_probe_skipped", "counter", "Hits that were passed over.", NULL, probe_skipped },
	{ "tapc_probe_nanoseconds", "counter", "Time in handlers, with -t.", NULL, probe_time },
};

static void write_sample(FILE *page, const struct family *f, const struct session_report *s, u32 row)
{
	u64 value = f->of_session ? f->of_session(&s->report) : f->of_probe(&s->probes[row]);

	fprintf(page, "%s%s{session=\"", f->name, strcmp(f->type, "counter") == 0 ? "_total" : "");
	write_label(page, s->name);
	if (f->of_probe) {
		fputs("\",probe=\"", page);
		write_label(page, s->meta.probes[row].point);
		fputs("\",position=\"", page);
		write_label(page, s->meta.probes[row].position);
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

static void write_exported(FILE *page, const char *proc, const char *name)
{
	_cleanup_free_ char *path = host_printf("%s/systemtap/%s/metrics", proc, name);
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	size_t size;
	_cleanup_free_ char *text = fd < 0 ? NULL : host_read_file(fd, MOST_EXPORTED, &size);

	if (!text || !size)
		return;
	fwrite(text, 1, size, page);
	if (text[size - 1] != '\n')
		putc('\n', page);
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
	for (size_t i = 0; i < all.count; i++)
		write_exported(page, proc, all.items[i].name);
	fputs("# EOF\n", page);
	fclose(page);
	free_sessions(&all);
	return text;
}

/* ---- HTTP ---- */

static void send_all(int fd, const char *data, size_t size)
{
	while (size) {
		ssize_t n = send(fd, data, size, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
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

	send_all(fd, head, strlen(head));
	send_all(fd, text, size);
}

/* The request up to the empty line; false when it is none. */
static bool read_request(int fd, char request[MOST_REQUEST])
{
	uint64_t until = host_now() + PATIENCE * 1000000000ull;
	size_t used = 0;

	while (used < MOST_REQUEST - 1 && host_now() < until) {
		ssize_t n = recv(fd, request + used, MOST_REQUEST - 1 - used, 0);

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
	const struct timeval patience = { .tv_sec = PATIENCE };
	_cleanup_free_ char *page = NULL;
	char request[MOST_REQUEST];
	size_t size = 0;

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	if (!read_request(fd, request))
		return;
	if (strncmp(request, "GET /metrics ", 13) != 0 && strncmp(request, "GET /metrics?", 13) != 0)
		answer(fd, "404 Not Found", "text/plain", "there is /metrics\n", 18);
	else if ((page = make_page(proc, &size)))
		answer(fd, "200 OK", type, page, size);
}

static bool must_end(int signals)
{
	struct signalfd_siginfo info;
	bool end = false;

	while (signals_next(signals, &info))
		end |= info.ssi_signo == SIGTERM || info.ssi_signo == SIGINT;
	return end;
}

void metrics_serve(int listener, int signals, const char *proc)
{
	for (;;) {
		struct pollfd p[] = {
			{ .fd = listener, .events = POLLIN }, { .fd = signals, .events = POLLIN },
		};
		int fd;

		if (poll(p, 2, -1) < 0)
			continue;
		if (p[1].revents && must_end(signals))
			return;
		fd = p[0].revents ? accept4(listener, NULL, NULL, SOCK_CLOEXEC) : -1;
		if (fd >= 0)
			serve_one(fd, proc);
		host_close(&fd);
	}
}
