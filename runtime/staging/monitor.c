// SPDX-License-Identifier: GPL-2.0-or-later
/* The session's report is read each second through its file monitor, beside whoever holds the session; so is
 * the file with the script's globals, where it was translated with --monitor-globals.
 * The screen is drawn with the few control sequences that every terminal has had since the VT100, so
 * that a target needs no library for it. */
#include "monitor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "control.h"
#include "host.h"
#include "message.h"
#include "meta.h"
#include "signals.h"

#define CLEAR "\033[H\033[J"
#define HIGHLIGHT "\033[7m"
#define PLAIN "\033[m"
#define OTHER_SCREEN "\033[?1049h\033[?25l"
#define OWN_SCREEN "\033[?25h\033[?1049l"

enum { SECOND_MS = 1000, HEAD_LINES = 4, MOST_GLOBALS = 1 << 20 };

struct monitor {
	const char *proc, *name;
	struct control control;
	struct meta meta;
	struct tap_probe_report *now, *before;	/* of each row */
	uint64_t elapsed;			/* ns between the two; 0: there is no before */
	uint64_t read_at;
	char *globals;				/* lines; NULL: the script does not tell */
	unsigned selected, top;			/* rows */
	unsigned lines, columns;		/* of the terminal; 0: none */
	const char *said;			/* what became of the last key */
};

/* ---- reading ---- */

static bool read_report(struct monitor *m)
{
	uint64_t now = host_now();
	struct tap_probe_report *probes = control_read(&m->control) ? NULL : control_read_probes(&m->control);

	if (!probes)
		return false;
	free(m->before);
	m->before = m->now;
	m->now = probes;
	m->elapsed = m->before ? now - m->read_at : 0;
	m->read_at = now;
	return true;
}

static void read_globals(struct monitor *m)
{
	_cleanup_free_ char *path = host_printf("%s/systemtap/%s/globals", m->proc, m->name);
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	size_t size;

	free(m->globals);
	m->globals = fd < 0 ? NULL : host_read_file(fd, MOST_GLOBALS, &size);
}

/* How much COUNT grew, in a second; a reset makes it shrink. */
static double rate(const struct monitor *m, u64 now, u64 before)
{
	if (!m->elapsed)
		return 0;
	return (double)(now >= before ? now - before : now) * 1e9 / (double)m->elapsed;
}

/* ---- the screen ---- */

static const char *state_of(const struct tap_probe_report *p)
{
	return p->shed ? "shed" : p->armed ? "on" : "off";
}

static void draw_head(const struct monitor *m)
{
	const struct tap_report *r = &m->control.report;
	u64 skipped = r->skipped_reentrant + r->skipped_lock + r->skipped_overload + r->skipped_stack;

	printf("%s  script %s  %s  up %llu s\n", m->name, m->meta.script,
	       r->exiting ? "exiting" : r->held ? "running" : "detached",
	       r->started ? (r->now - r->started) / 1000000000 : 0);
	printf("errors %llu  skipped %llu  lost %llu  places %llu  memory %llu KB\n\n", r->errors, skipped,
	       r->lost, r->sites, r->memory >> 10);
	printf("%12s %10s %9s %9s %6s %5s  %s\n", "HITS", "HITS/S", "SKIPPED", "AVG NS", "CPU%", "STATE",
	       "PROBE");
}

/* The share of one processor's time that the handlers take; "-" without -t. */
static void draw_row(const struct monitor *m, unsigned row)
{
	const struct tap_probe_report *p = &m->now[row], *b = m->before ? &m->before[row] : p;
	int room = m->columns > 60 ? (int)m->columns - 59 : 1000;
	char average[24] = "-", share[24] = "-";

	if (p->time && p->hits) {
		snprintf(average, sizeof(average), "%llu", p->time / p->hits);
		snprintf(share, sizeof(share), "%.1f", rate(m, p->time, b->time) / 1e7);
	}
	printf("%s%12llu %10.0f %9llu %9s %6s %5s  %.*s%s\n",
	       m->lines && row == m->selected ? HIGHLIGHT : "", p->hits, rate(m, p->hits, b->hits), p->skipped,
	       average, share, state_of(p), room, row < m->meta.probe_count ? m->meta.probes[row].point : "?",
	       m->lines && row == m->selected ? PLAIN : "");
}

/* As many as ROOM, of a terminal, and as wide as that. */
static void draw_globals(const struct monitor *m, unsigned room)
{
	const char *line = m->globals;

	if (!line || room < 2)
		return;
	fputs("\nGLOBALS\n", stdout);
	for (room -= 2; *line && room; room--) {
		size_t size = strcspn(line, "\n");

		printf("%.*s\n", (int)(m->lines && size > m->columns ? m->columns : size), line);
		line += size + (line[size] != 0);
	}
}

/* Probes have the screen to themselves, or two thirds of it when there are globals, too. */
static void draw(struct monitor *m)
{
	unsigned count = m->control.report.probe_count;
	unsigned lines = m->lines > HEAD_LINES + 2 ? m->lines - HEAD_LINES - 2 : 0, room = lines ? lines : count;

	if (lines && m->globals && count > lines * 2 / 3)
		room = lines * 2 / 3;
	if (m->selected < m->top)
		m->top = m->selected;
	if (m->selected >= m->top + room)
		m->top = m->selected - room + 1;
	if (m->lines)
		fputs(CLEAR, stdout);
	draw_head(m);
	for (unsigned row = m->top; row < count && row < m->top + room; row++)
		draw_row(m, row);
	draw_globals(m, lines ? lines - (count < room ? count : room) : ~0u);
	if (m->lines)
		printf("\nspace: on or off   r: reset counts   e: end the session   q: leave   %s",
		       m->said ? m->said : "");
	fflush(stdout);
}

static void measure(struct monitor *m)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) < 0 || !size.ws_row)
		size = (struct winsize){ .ws_row = 24, .ws_col = 80 };
	m->lines = size.ws_row;
	m->columns = size.ws_col;
}

/* ---- keys ---- */

static void command(struct monitor *m, int err, const char *done)
{
	m->said = err ? strerror(err) : done;
}

static void toggle(struct monitor *m)
{
	const struct tap_probe_report *p = &m->now[m->selected];
	bool on = p->armed;

	command(m, control_send_number(&m->control, on ? TAP_DISARM : TAP_ARM, p->number),
		on ? "switched off" : "switched on");
}

static void move(struct monitor *m, int by)
{
	unsigned count = m->control.report.probe_count;

	if (by < 0 ? m->selected > 0 : m->selected + 1 < count)
		m->selected += (unsigned)by;
}

/* False: leave. Arrow keys are ESC [ A and ESC [ B, and come in one read. */
static bool obey(struct monitor *m, const char *keys, ssize_t n)
{
	if (n >= 3 && keys[0] == 033 && keys[1] == '[') {
		move(m, keys[2] == 'A' ? -1 : keys[2] == 'B' ? 1 : 0);
		return true;
	}
	for (ssize_t i = 0; i < n; i++)
		switch (keys[i]) {
		case 'q': return false;
		case 'k': move(m, -1); break;
		case 'j': move(m, 1); break;
		case ' ': toggle(m); break;
		case 'r': command(m, control_send(&m->control, TAP_RESET, NULL, 0), "reset"); break;
		case 'e': command(m, control_send(&m->control, TAP_EXIT, NULL, 0), "asked to end"); break;
		}
	return true;
}

/* ---- the whole ---- */

static void watch(struct monitor *m, int signals)
{
	struct pollfd p[] = {
		{ .fd = STDIN_FILENO, .events = POLLIN }, { .fd = signals, .events = POLLIN },
	};
	char keys[16];

	while (read_report(m)) {
		ssize_t n = 0;

		read_globals(m);
		measure(m);
		draw(m);
		if (poll(p, 2, SECOND_MS) < 0 && errno != EINTR)
			return;
		if (p[1].revents)
			return;
		if (p[0].revents && (n = read(STDIN_FILENO, keys, sizeof(keys))) <= 0)
			return;
		if (!obey(m, keys, n))
			return;
	}
}

static enum tap_status run_screen(struct monitor *m)
{
	struct termios before, raw;
	int signals = signals_open();

	if (tcgetattr(STDIN_FILENO, &before) < 0 || signals < 0) {
		message_error("--monitor needs a terminal for its keys: %s", strerror(errno));
		return TAP_STATUS_HOST;
	}
	raw = before;
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	tcsetattr(STDIN_FILENO, TCSANOW, &raw);
	fputs(OTHER_SCREEN, stdout);
	watch(m, signals);
	fputs(OWN_SCREEN, stdout);
	fflush(stdout);
	tcsetattr(STDIN_FILENO, TCSANOW, &before);
	return TAP_STATUS_OK;
}

static enum tap_status cannot_look(const char *name, int err)
{
	message_error(err == ENOENT ? "there is no module '%s' of tapc" :
		      err == EACCES ? "the session of module '%s' is another user's" :
				      "cannot look at the session of module '%s': %s", name, strerror(err));
	return TAP_STATUS_LOAD;
}

enum tap_status monitor_run(const char *proc, const char *name)
{
	struct monitor m = { .proc = proc, .name = name };
	int err = control_open_monitor(&m.control, proc, name);
	enum tap_status status = TAP_STATUS_OK;

	if (err)
		return cannot_look(name, err);
	if (!meta_read(&m.meta, m.control.dir)) {
		control_close(&m.control);
		return TAP_STATUS_LOAD;
	}
	if (isatty(STDOUT_FILENO)) {
		status = run_screen(&m);
	} else if (read_report(&m)) {
		read_globals(&m);
		draw(&m);
	}
	free(m.globals);
	free(m.now);
	free(m.before);
	meta_free(&m.meta);
	control_close(&m.control);
	return status;
}
