/* SPDX-License-Identifier: GPL-2.0-or-later */
/* taprun says that its probes are armed as it says so to a service manager: by a message to NOTIFY_SOCKET. On a
 * terminal its output arrives through a pipe, so that it can be printed above the line that is being typed. */
#include "session.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/util.h"
#include "line.h"
#include "rows.h"
#include "staging/common/signals.h"
#include "staging/common/status.h"

/* ---- the socket ---- */

static bool open_socket(struct shell *sh)
{
	struct sockaddr_un own = { .sun_family = AF_UNIX };
	socklen_t size = sizeof(own);

	sh->started = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	/* the kernel chooses an abstract name */
	if (sh->started < 0 || bind(sh->started, (struct sockaddr *)&own, sizeof(sa_family_t)) < 0 ||
	    getsockname(sh->started, (struct sockaddr *)&own, &size) < 0)
		return false;
	sh->started_name = arena_printf(sh->arena, "@%.*s",
					(int)(size - offsetof(struct sockaddr_un, sun_path) - 1), own.sun_path + 1);
	return true;
}

bool session_open(struct shell *sh)
{
	sh->signals = signals_open();
	sh->session.output = sh->leaving.output = -1;
	if (sh->signals >= 0 && open_socket(sh))
		return true;
	error_print("cannot wait for sessions: %s", strerror(errno));
	return false;
}

/* ---- output ---- */

/* Whole lines, and at the end the rest. */
static void show_output(struct session *s, bool is_end)
{
	const char *newline = s->line.n ? memrchr(s->line.s, '\n', s->line.n) : NULL;
	size_t n = newline ? (size_t)(newline - s->line.s) + 1 : 0;

	if (is_end && s->line.n > n) {
		text_char(&s->line, '\n');
		n = s->line.n;
	}
	if (!n)
		return;
	line_print_above(s->line.s, n);
	memmove(s->line.s, s->line.s + n, s->line.n - n);
	s->line.n -= n;
}

static void read_output(struct session *s)
{
	char piece[16384];
	ssize_t n;

	if (s->output < 0)
		return;
	while ((n = read(s->output, piece, sizeof(piece))) > 0) {
		text_add_n(&s->line, piece, (size_t)n);
		show_output(s, false);
		if ((size_t)n < sizeof(piece))
			return;		/* others may have something to say */
	}
	if (n == 0) {
		close(s->output);
		s->output = -1;
	}
}

/* ---- the end of a session ---- */

static void tell_end(struct shell *sh, const struct session *s, int status)
{
	char text[128];

	if (!s->is_started || !sh->is_terminal)
		return;
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		snprintf(text, sizeof(text), "the session has ended\n");
	else if (WIFEXITED(status))
		snprintf(text, sizeof(text), "the session has ended with status %d\n", WEXITSTATUS(status));
	else
		snprintf(text, sizeof(text), "the session was ended by signal %d\n", WTERMSIG(status));
	line_print_above(text, strlen(text));
}

static void reap(struct shell *sh, struct session *s, bool is_told)
{
	int status;

	if (!s->pid || waitpid(s->pid, &status, WNOHANG) != s->pid)
		return;
	while (s->output >= 0) {
		int before = s->output;
		size_t n = s->line.n;

		read_output(s);
		if (s->output == before && s->line.n == n)
			break;		/* a process that the script started has the pipe, too */
	}
	show_output(s, true);
	if (s->output >= 0)
		close(s->output);
	if (is_told)
		tell_end(sh, s, status);
	*s = (struct session){ .output = -1 };
	sh->ended_with = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	if (!sh->status)
		sh->status = sh->ended_with;
}

/* ---- events ---- */

static void interrupt(struct shell *sh, bool with_input)
{
	sh->is_interrupted = true;
	if (!with_input)
		return;
	if (sh->open.n) {
		sh->open.n = 0;
		line_discard();
	} else if (!line_discard() && sh->session.pid) {
		kill(-sh->session.pid, SIGINT);
	}
}

static void take_signals(struct shell *sh, bool with_input)
{
	struct signalfd_siginfo info;

	while (signals_next(sh->signals, &info)) {
		if (info.ssi_signo == SIGINT)
			interrupt(sh, with_input);
		else if (info.ssi_signo != SIGCHLD && info.ssi_signo != SIGUSR2)
			sh->is_over = sh->is_interrupted = true;
	}
	reap(sh, &sh->session, true);
	reap(sh, &sh->leaving, false);
}

static void take_started(struct shell *sh)
{
	char message[64];

	while (recv(sh->started, message, sizeof(message), 0) > 0)
		sh->session.is_started = true;
}

void session_wait(struct shell *sh, int timeout, bool with_input)
{
	struct pollfd polled[] = {
		{ .fd = sh->signals, .events = POLLIN },
		{ .fd = sh->started, .events = POLLIN },
		{ .fd = sh->session.output, .events = POLLIN },
		{ .fd = sh->leaving.output, .events = POLLIN },
		{ .fd = with_input ? STDIN_FILENO : -1, .events = POLLIN },
	};

	fflush(stdout);
	if (poll(polled, ARRAY_SIZE(polled), timeout) < 0)
		return;
	if (polled[1].revents)
		take_started(sh);
	if (polled[2].revents)
		read_output(&sh->session);
	if (polled[3].revents)
		read_output(&sh->leaving);
	if (polled[0].revents)
		take_signals(sh, with_input);
	if (polled[4].revents)
		line_receive();
}

int session_await(struct shell *sh, child_work *work, void *data)
{
	pid_t child = child_start_here(sh, work, data);
	int status;

	if (child < 0)
		return TAP_STATUS_HOST;
	while (waitpid(child, &status, WNOHANG) == 0)
		session_wait(sh, -1, false);
	take_signals(sh, false);	/* the Ctrl-C that ended the child is not for the session or the next line */
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* ---- start and stop ---- */

static int run_pieces(struct shell *sh, struct run *r, void *data)
{
	const struct session *s = data;

	setenv("NOTIFY_SOCKET", sh->started_name, true);
	r->options.module_name = s->module;
	r->options.hand_over = true;
	r->options.replace = sh->leaving.pid ? sh->leaving.module : NULL;
	child_take_pieces(r, &s->pieces, false);
	return sh->execute(r);
}

static bool begin(struct shell *sh, struct session *s)
{
	int ends[2] = { -1, -1 };

	*s = (struct session){ .output = -1 };
	text_init(&s->line, sh->arena);
	s->module = arena_printf(sh->arena, "tap_shell_%d_%u", (int)getpid(), ++sh->last_module);
	vec_each(p, &sh->pieces)
		*vec_add(sh->arena, &s->pieces) = *p;
	if (sh->is_terminal && pipe2(ends, O_CLOEXEC) < 0) {
		error_print("cannot start a process: %s", strerror(errno));
		return false;
	}
	s->output = ends[0];
	if (s->output >= 0)
		fcntl(s->output, F_SETFL, O_NONBLOCK);
	s->pid = child_start(sh, run_pieces, s, ends[1]);
	if (ends[1] >= 0)
		close(ends[1]);
	if (s->pid > 0)
		return true;
	if (s->output >= 0)
		close(s->output);
	*s = (struct session){ .output = -1 };
	return false;
}

static void await_end(struct shell *sh, struct session *s)
{
	while (s->pid)
		session_wait(sh, -1, false);
}

/* Waits until it has started, or has failed. */
static bool await_start(struct shell *sh)
{
	sh->is_interrupted = false;
	while (sh->session.pid && !sh->session.is_started) {
		session_wait(sh, -1, false);
		if (sh->is_interrupted && sh->session.pid)
			kill(-sh->session.pid, SIGINT);
		sh->is_interrupted = false;
	}
	return sh->session.pid || !sh->ended_with;
}

/* The old session goes on until the new one tells it to end, and if that fails. */
bool session_start(struct shell *sh)
{
	await_end(sh, &sh->leaving);
	sh->leaving = sh->session;
	sh->session = (struct session){ .output = -1 };
	if (begin(sh, &sh->session) && await_start(sh)) {
		await_end(sh, &sh->leaving);
		return true;
	}
	sh->session = sh->leaving;
	sh->leaving = (struct session){ .output = -1 };
	return false;
}

static bool has_probes(const piece_list *pieces)
{
	vec_each(p, pieces)
		if (p->is_probe && !p->is_off)
			return true;
	return false;
}

bool session_follow(struct shell *sh)
{
	if (!sh->session.pid)
		return true;
	if (has_probes(&sh->pieces))
		return session_start(sh);
	session_stop(sh);
	return true;
}

/* What was switched off when the module was made is not in it. */
bool session_switch(struct shell *sh, const struct piece *p, bool on)
{
	return sh->session.pid && rows_switch(sh->session.module, p->source, on);
}

void session_stop(struct shell *sh)
{
	if (sh->session.pid)
		kill(-sh->session.pid, SIGINT);
	await_end(sh, &sh->session);
	await_end(sh, &sh->leaving);
}

void session_close(struct shell *sh)
{
	session_stop(sh);
	if (sh->started >= 0)
		close(sh->started);
	if (sh->signals >= 0)
		close(sh->signals);
}
