// SPDX-License-Identifier: GPL-2.0-or-later
/* The session's report is read at intervals through its monitor file, alongside the process that holds the
 * session. So is the file of the script's globals, if the script was translated with --monitor-globals. A
 * session of our own runs in a child, whose output arrives through a pipe. The child knows nothing about the
 * screen, and however it ends, the terminal is restored here. Its output is printed again after the screen is
 * closed. */
#include "monitor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "board.h"
#include "session/control.h"
#include "common/host.h"
#include "session/listing.h"
#include "common/message.h"
#include "session/meta.h"
#include "common/module.h"
#include "pane.h"
#include "screen.h"
#include "scrollback.h"
#include "common/signals.h"

enum {
	MOST_GLOBALS = 1 << 20, MOST_OUTPUT = 1 << 20,
	SECOND = 1000000000, DRAW_NS = SECOND / 20,	/* minimum between two drawings, unless a key was pressed */
	LEFT = 8,				/* columns to scroll */
};
#define KEYS "space,t switch  p,r all off,on  z zero counts  c reset globals  s sort  "

struct monitor {
	const char *proc;
	char name[MODULE_NAME_SIZE];
	uint64_t interval, due;			/* ns; of reading the report */
	uint64_t drawn, draw_at;		/* ns */
	struct control control;
	struct meta meta;
	bool open;				/* control and meta */
	struct board board;
	/* a session of our own */
	pid_t child;
	int started, output;			/* pipes from the child; -1: closed */
	int status;				/* from waitpid */
	struct scrollback lines;
	/* the screen */
	struct pane panes[2];			/* the board and the output */
	unsigned focus, left;
	bool board_hidden, keys_gone, over;
	char prompt[12];
	bool prompting;
	const char *said;			/* the result of the last key */
	int signals;
};

/* ---- the session ---- */

static int open_session(struct monitor *m)
{
	int err = control_open_monitor(&m->control, m->proc, m->name);

	if (err)
		return err;
	if (!meta_read(&m->meta, m->control.dir)) {
		control_close(&m->control);
		return EPROTO;
	}
	control_look_away(&m->control);
	m->open = true;
	m->board.name = m->name;
	m->board.meta = &m->meta;
	return 0;
}

static void close_session(struct monitor *m)
{
	board_free(&m->board);
	scrollback_free(&m->lines);
	if (!m->open)
		return;
	meta_free(&m->meta);
	control_close(&m->control);
}

static int open_globals(const struct monitor *m, int flags)
{
	_cleanup_free_ char *path = host_printf("%s/systemtap/%s/globals", m->proc, m->name);

	return open(path, flags | O_CLOEXEC | O_NONBLOCK);
}

static struct tap_probe_report *read_report(struct monitor *m)
{
	struct tap_probe_report *probes = NULL;
	int err = control_look(&m->control);

	if (!err)
		err = control_read(&m->control);
	if (!err && !(probes = control_read_probes(&m->control)))
		err = errno;
	control_look_away(&m->control);
	errno = err;
	return probes;
}

static bool read_session(struct monitor *m)
{
	struct tap_probe_report *probes = read_report(m);
	_cleanup_close_ int globals = -1;
	size_t size;

	if (!probes)
		return false;
	board_take(&m->board, &m->control.report, probes, host_now());
	m->board.state = listing_state(&m->control.report);
	globals = open_globals(m, O_RDONLY);
	board_take_globals(&m->board, globals < 0 ? NULL : host_read_file(globals, MOST_GLOBALS, &size));
	return true;
}

/* ---- drawing ---- */

static enum screen_look look_of(const struct monitor *m, unsigned n)
{
	const struct tap_probe_report *p = board_probe(&m->board, n);

	return n == m->panes[0].at && !m->focus ? SCREEN_CHOSEN : p && !p->armed ? SCREEN_DIM : SCREEN_PLAIN;
}

static void draw_keys(const struct monitor *m, unsigned row)
{
	const char *keys = m->child ? KEYS "x,Tab windows  q end" : KEYS "e end  q leave";
	_cleanup_free_ char *prompt = host_printf("number of the probe to switch, then Enter: %s_", m->prompt);

	screen_line(row, m->prompting ? prompt : m->said ? m->said : keys, 0, SCREEN_PLAIN);
}

static void draw_bar(const struct monitor *m, unsigned row)
{
	const struct pane *p = &m->panes[1];
	unsigned last = p->top + p->height < p->count ? p->top + p->height : p->count;
	_cleanup_free_ char *text = host_printf("---- output, lines %u to %u of %u%s ----", p->count ? p->top + 1 : 0,
						last, p->count, m->focus ? ", chosen" : "");

	screen_line(row, text, 0, SCREEN_BAR);
}

static void draw(struct monitor *m)
{
	unsigned wants = m->open ? board_lines(&m->board) : 0, row = 0;
	struct layout l = layout_divide(screen_lines(), wants, m->child, m->board_hidden);

	pane_fit(&m->panes[0], wants, l.board);
	pane_fit(&m->panes[1], m->lines.count, l.output);
	for (unsigned i = 0; i < l.head; i++) {
		_cleanup_free_ char *text = board_head(&m->board, i);

		screen_line(row++, text, i == BOARD_HEAD - 1 ? m->left : 0, SCREEN_HEAD);
	}
	for (unsigned i = m->panes[0].top; i < wants && i < m->panes[0].top + l.board; i++) {
		_cleanup_free_ char *text = board_line(&m->board, i);

		screen_line(row++, text, m->left, look_of(m, i));
	}
	if (l.bar)
		draw_bar(m, l.head + l.board);
	row = l.head + l.board + l.bar;
	for (unsigned i = m->panes[1].top; i < m->lines.count && i < m->panes[1].top + l.output; i++) {
		_cleanup_free_ char *text = scrollback_line(&m->lines, i);

		screen_line(row++, text, m->left, SCREEN_PLAIN);
	}
	if (l.keys)
		draw_keys(m, screen_lines() - 1);
	screen_show(l.keys ? screen_lines() : row);
	m->drawn = host_now();
	m->draw_at = UINT64_MAX;
}

/* ---- keys ---- */

/* Shows the result of a request at once. */
static void asked(struct monitor *m, int err, const char *done)
{
	m->said = err ? strerror(err) : done;
	m->due = 0;
}

static void command(struct monitor *m, u16 kind, const void *payload, size_t size, const char *done)
{
	int err = control_look(&m->control);

	if (!err)
		err = control_send(&m->control, kind, payload, size);
	control_look_away(&m->control);
	asked(m, err, done);
}

static void switch_probe(struct monitor *m, const struct tap_probe_report *p, bool on)
{
	command(m, on ? TAP_ARM : TAP_DISARM, &p->number, sizeof(p->number), on ? "switched on" : "switched off");
}

static void toggle(struct monitor *m, const struct tap_probe_report *p)
{
	if (p)
		switch_probe(m, p, !p->armed);
	else
		m->said = "no such probe";
}

static void switch_all(struct monitor *m, bool on)
{
	const struct tap_probe_report *p;

	for (unsigned n = 0; (p = board_probe(&m->board, n)); n++)
		switch_probe(m, p, on);
}

static void reset_globals(struct monitor *m)
{
	_cleanup_close_ int fd = open_globals(m, O_WRONLY);
	int err = fd < 0 || write(fd, "reset", 5) < 0 ? errno : 0;

	asked(m, err == ENOENT ? 0 : err,
	      err == ENOENT ? "the script has no globals that can be reset (--monitor-globals)" : "globals are reset");
}

/* The end of a script takes time; its end probes may print. */
static void end_session(struct monitor *m)
{
	if (!m->child) {
		command(m, TAP_EXIT, NULL, 0, "end requested");
		return;
	}
	kill(m->child, SIGINT);
	asked(m, 0, "end requested");
}

static void answer_prompt(struct monitor *m, int key)
{
	size_t size = strlen(m->prompt);
	unsigned n = 0;
	const struct tap_probe_report *p;

	if (key >= '0' && key <= '9' && size + 1 < sizeof(m->prompt)) {
		m->prompt[size] = (char)key;
	} else if (key == SCREEN_ERASE && size) {
		m->prompt[size - 1] = 0;
	} else if (key == SCREEN_ENTER) {
		while ((p = board_probe(&m->board, n)) && p->number != strtoul(m->prompt, NULL, 10))
			n++;
		m->prompting = false;
		toggle(m, *m->prompt ? p : NULL);
	} else {
		m->prompting = false;
	}
}

static void scroll(struct monitor *m, int key)
{
	struct pane *p = &m->panes[m->focus];
	long page = p->height;

	switch (key) {
	case 'k': case SCREEN_UP: pane_move(p, -1); break;
	case 'j': case SCREEN_DOWN: pane_move(p, 1); break;
	case SCREEN_PAGE_UP: pane_move(p, -page); break;
	case SCREEN_PAGE_DOWN: pane_move(p, page); break;
	case SCREEN_HOME: pane_move(p, -(long)p->count); break;
	case SCREEN_END: pane_move(p, p->count); break;
	case SCREEN_LEFT: m->left -= m->left < LEFT ? m->left : LEFT; break;
	case SCREEN_RIGHT: m->left += LEFT; break;
	}
}

static void obey_board(struct monitor *m, int key)
{
	switch (key) {
	case ' ': toggle(m, board_probe(&m->board, m->panes[0].at)); break;
	case 'p': switch_all(m, false); break;
	case 'r': switch_all(m, true); break;
	case 'z': command(m, TAP_RESET, NULL, 0, "counts are zero"); break;
	case 'c': reset_globals(m); break;
	case 's': board_sort(&m->board, (m->board.sort + 1) % BOARD_COLUMNS); break;
	case 'e': end_session(m); break;
	case 't':
		m->prompting = true;
		memset(m->prompt, 0, sizeof(m->prompt));
		break;
	}
}

static void obey(struct monitor *m, int key)
{
	m->draw_at = 0;
	if (m->prompting) {
		answer_prompt(m, key);
		return;
	}
	m->said = NULL;
	switch (key) {
	case 'q':
		if (m->child)
			end_session(m);
		m->over = !m->child;
		break;
	case 'x':
		m->board_hidden = m->child && !m->board_hidden;
		m->focus = m->board_hidden;
		break;
	case '\t': m->focus = m->child && !m->focus; break;
	default:
		scroll(m, key);
		if (m->open)
			obey_board(m, key);
	}
}

/* ---- events ---- */

/* The terminal sends its signals to the child, too; kill does not. */
static void on_signals(struct monitor *m)
{
	struct signalfd_siginfo info;

	while (signals_next(m->signals, &info)) {
		if (info.ssi_signo == SIGCHLD)
			m->over |= m->child && waitpid(m->child, &m->status, WNOHANG) == m->child;
		else if (!m->child)
			m->over |= info.ssi_signo != SIGUSR2;
		else if (info.ssi_code <= 0)
			kill(m->child, (int)info.ssi_signo);
	}
}

static bool read_output(struct monitor *m)
{
	char text[65536];
	ssize_t n = read(m->output, text, sizeof(text));

	if (n > 0)
		scrollback_add(&m->lines, text, (size_t)n);
	else if (n == 0 || (errno != EAGAIN && errno != EINTR))
		host_close(&m->output);
	if (m->draw_at > m->drawn + DRAW_NS)
		m->draw_at = m->drawn + DRAW_NS;
	return n > 0;
}

/* The child writes nothing if the session could not start. */
static void read_name(struct monitor *m)
{
	if (read(m->started, m->name, sizeof(m->name)) > 0 && open_session(m) == 0)
		m->due = 0;
	host_close(&m->started);
}

static void read_keys(struct monitor *m)
{
	int key;

	while ((key = screen_key()) != SCREEN_NO_KEY)
		obey(m, key);
}

/* SIGWINCH is unblocked only here, so that none is missed. */
static void wait_for_events(struct monitor *m)
{
	struct pollfd p[] = {
		{ .fd = m->signals, .events = POLLIN }, { .fd = m->keys_gone ? -1 : STDIN_FILENO, .events = POLLIN },
		{ .fd = m->started, .events = POLLIN }, { .fd = m->output, .events = POLLIN },
	};
	uint64_t now = host_now(), until = m->due < m->draw_at ? m->due : m->draw_at;
	uint64_t left = until > now ? until - now : 0;
	struct timespec timeout = { .tv_sec = (time_t)(left / SECOND), .tv_nsec = (long)(left % SECOND) };
	sigset_t mask;

	sigprocmask(SIG_BLOCK, NULL, &mask);
	sigdelset(&mask, SIGWINCH);
	ppoll(p, ARRAY_SIZE(p), &timeout, &mask);
	m->keys_gone |= p[1].revents & (POLLERR | POLLHUP | POLLNVAL);
	if (p[3].revents)
		read_output(m);
	if (p[2].revents)
		read_name(m);
	if (p[0].revents)
		on_signals(m);
	read_keys(m);
}

/* Failing to read a session of our own means that it is about to end. */
static void read_when_due(struct monitor *m)
{
	if (!m->open || host_now() < m->due)
		return;
	m->due = host_now() + m->interval;
	m->draw_at = 0;
	if (!read_session(m)) {
		m->due = UINT64_MAX;
		m->over |= !m->child;
	}
}

static void watch(struct monitor *m)
{
	sigset_t resized;

	sigemptyset(&resized);
	sigaddset(&resized, SIGWINCH);
	sigprocmask(SIG_BLOCK, &resized, NULL);
	for (read_when_due(m); !m->over; read_when_due(m)) {
		if (host_now() >= m->draw_at)
			draw(m);
		wait_for_events(m);
	}
	screen_close();
}

/* ---- another process's session ---- */

static enum tap_status cannot_look(const char *name, int err)
{
	message_error(err == ENOENT ? "no module '%s' of tapc is loaded" :
		      err == EACCES ? "the session of module '%s' belongs to another user" :
				      "cannot read the session of module '%s': %s", name, strerror(err));
	return TAP_STATUS_LOAD;
}

static void init(struct monitor *m, const char *proc, double interval)
{
	*m = (struct monitor){ .proc = proc, .interval = (uint64_t)(interval * SECOND), .started = -1, .output = -1,
			       .lines = { .most = MOST_OUTPUT }, .panes[1].follows = true };
}

static enum tap_status print_once(struct monitor *m)
{
	if (!read_session(m))
		return cannot_look(m->name, errno);
	for (unsigned i = 0; i < BOARD_HEAD + board_lines(&m->board); i++) {
		_cleanup_free_ char *line = i < BOARD_HEAD ? board_head(&m->board, i) :
							     board_line(&m->board, i - BOARD_HEAD);

		puts(line);
	}
	return fflush(stdout) ? TAP_STATUS_HOST : TAP_STATUS_OK;
}

enum tap_status monitor_look(const char *proc, const char *name, double interval)
{
	enum tap_status status = TAP_STATUS_OK;
	struct monitor m;
	int err;

	init(&m, proc, interval);
	err = snprintf(m.name, sizeof(m.name), "%s", name) < (int)sizeof(m.name) ? 0 : ENOENT;
	if (!err && !listing_complete(proc, m.name))
		return TAP_STATUS_LOAD;
	err = err ? err : open_session(&m);
	if (err)
		return cannot_look(name, err);
	m.signals = signals_open();
	if (!isatty(STDOUT_FILENO))
		status = print_once(&m);
	else if (m.signals >= 0 && screen_open())
		watch(&m);
	else
		status = TAP_STATUS_HOST;
	close_session(&m);
	return status;
}

/* ---- a session of our own ---- */

/* The child must not read the keyboard, which belongs to the screen. */
static _Noreturn void be_child(enum tap_status (*run)(void *data, int started), void *data, int output, int started)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), status;

	signals_restore();
	dup2(null, STDIN_FILENO);
	dup2(output, STDOUT_FILENO);
	if (isatty(STDERR_FILENO))
		dup2(output, STDERR_FILENO);
	host_close(&null);
	host_close(&output);
	status = run(data, started);
	message_close();
	exit(status);
}

static bool start_child(struct monitor *m, enum tap_status (*run)(void *data, int started), void *data)
{
	int output[2], started[2];

	if (pipe2(output, O_CLOEXEC) < 0 || pipe2(started, O_CLOEXEC) < 0 || (m->signals = signals_open()) < 0 ||
	    (m->child = fork()) < 0)
		return false;
	if (m->child == 0) {
		close(output[0]);
		close(started[0]);
		close(m->signals);
		be_child(run, data, output[1], started[1]);
	}
	close(output[1]);
	close(started[1]);
	m->output = output[0];
	m->started = started[0];
	fcntl(m->output, F_SETFL, O_NONBLOCK);
	return true;
}

/* Prints the output again, outside the screen. */
static void print_lines(struct monitor *m)
{
	while (m->output >= 0 && read_output(m))
		;
	if (m->lines.dropped)
		message_warning("%llu earlier lines are not shown again: -o FILE keeps all",
				(unsigned long long)m->lines.dropped);
	fwrite(m->lines.text, 1, m->lines.size, stdout);
	fflush(stdout);
}

static enum tap_status status_of_child(const struct monitor *m)
{
	if (WIFEXITED(m->status))
		return (enum tap_status)WEXITSTATUS(m->status);
	message_error("the session's process was ended by signal %d", WTERMSIG(m->status));
	return TAP_STATUS_HOST;
}

enum tap_status monitor_run(const char *proc, double interval, enum tap_status (*run)(void *data, int started),
			    void *data)
{
	struct monitor m;

	init(&m, proc, interval);
	m.due = UINT64_MAX;
	if (!screen_is_possible())
		return TAP_STATUS_USAGE;
	if (!start_child(&m, run, data)) {
		message_error("cannot start the session's process: %s", strerror(errno));
		return TAP_STATUS_HOST;
	}
	if (screen_open()) {
		watch(&m);
	} else {
		kill(m.child, SIGTERM);
		while (waitpid(m.child, &m.status, 0) < 0 && errno == EINTR)
			;
	}
	print_lines(&m);
	close_session(&m);
	return status_of_child(&m);
}
