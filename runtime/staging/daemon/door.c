// SPDX-License-Identifier: GPL-2.0-or-later
/* A user without rights gets an error that costs no process, no place, and few lines of the log. The socket of
 * an admitted client belongs to its process alone: packets in it are never closed here, since that may block
 * forever (parting.h). A process that waits too long for its client is killed. One that cannot be killed keeps
 * its place, which counts against its user, and tapd ends without waiting for it. */
#include "door.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <syslog.h>
#include <unistd.h>

#include "broker.h"
#include "common/host.h"
#include "ledger.h"
#include "common/message.h"
#include "parting.h"
#include "common/signals.h"
#include "visitor.h"

enum {
	MOST_CLIENTS = 1024, MOST_OF_USER = 256,
	FOR_ROOT = 16, FOR_DEVELOPERS = 128,	/* places that users with fewer rights do not get */
	PAUSE_MS = 200,		/* if a client cannot be accepted */
};

/* In seconds. PATIENCE: for a client to send its whole request. END_PATIENCE: for sessions to end when tapd
 * ends. SHORT_PATIENCE: for processes without a session to end, and for the kernel to end a killed process. */
enum { PATIENCE = 30, END_PATIENCE = 20, SHORT_PATIENCE = 2 };

struct place {
	pid_t pid;			/* 0: free */
	uid_t user;
	uint64_t until;			/* when to kill it, unless it is busy then; 0: never */
	bool killed, stuck;
};

static struct {
	int listener, signals;
	const char *config;
	struct place places[MOST_CLIENTS];
	volatile uint8_t *busy;		/* shared, one per place: the process is not waiting for its client's request */
	size_t taken;
	bool ending;
} door;

static uint64_t in_seconds(unsigned n)
{
	return host_now() + n * 1000000000ull;
}

/* ---- places ---- */

static size_t places_for(const struct visitor *v)
{
	if (!v->peer.uid)
		return MOST_CLIENTS;
	return MOST_CLIENTS - FOR_ROOT - (v->right == POLICY_ANYTHING ? 0 : FOR_DEVELOPERS);
}

static bool has_place(const struct visitor *v)
{
	size_t of_user = 0;

	for (size_t i = 0; i < MOST_CLIENTS; i++)
		of_user += door.places[i].pid && door.places[i].user == v->peer.uid;
	if (door.taken < places_for(v) && (of_user < MOST_OF_USER || !v->peer.uid))
		return true;
	message_error("too many clients: try again");
	return false;
}

static size_t free_place(void)
{
	size_t i = 0;

	while (door.places[i].pid)
		i++;
	return i;
}

/* ---- clients ---- */

static _Noreturn void serve(struct visitor *v, int ready, int alone, volatile uint8_t *busy)
{
	char byte;

	host_close(&door.listener);
	parting_forget();
	if (write(ready, "", 1) < 0)
		_exit(1);
	host_close(&ready);
	while (read(alone, &byte, 1) < 0 && errno == EINTR)
		;
	host_close(&alone);
	broker_serve(v, door.signals, busy);
	_exit(0);
}

static pid_t fork_server(struct visitor *v, volatile uint8_t *busy)
{
	int ready[2], alone[2];
	bool good;
	pid_t pid;
	char byte;

	if (pipe2(ready, O_CLOEXEC) < 0)
		return -1;
	pid = pipe2(alone, O_CLOEXEC) < 0 ? -1 : fork();
	if (pid == 0) {
		close(ready[0]);
		close(alone[1]);
		serve(v, ready[1], alone[0], busy);
	}
	close(ready[1]);
	good = pid > 0 && read(ready[0], &byte, 1) == 1;
	close(ready[0]);
	if (good)
		host_close(&v->socket);		/* the child has it, and waits until no other process does */
	if (pid > 0) {
		close(alone[0]);
		close(alone[1]);
	}
	return pid;
}

static void let_in(struct visitor *v)
{
	size_t i = free_place();
	pid_t pid;

	door.busy[i] = false;
	pid = fork_server(v, &door.busy[i]);
	if (pid < 0) {
		message_error("cannot serve a client: %s", strerror(errno));
		host_sleep_ms(PAUSE_MS);
		return;
	}
	door.places[i] = (struct place){ .pid = pid, .user = v->peer.uid, .until = in_seconds(PATIENCE) };
	door.taken++;
}

/* Nothing is read from a user without rights, so the request is not known. */
static void turn_away(struct visitor *v)
{
	visitor_done(v, TAP_STATUS_LOAD);
	if (!v->quiet)
		syslog(LOG_NOTICE, "connect module=? user=%s uid=%u pid=%d sha256=? size=0 by=nobody outcome=refused",
		       peer_name(&v->peer), (unsigned)v->peer.uid, (int)v->peer.pid);
}

static void take_client(void)
{
	struct visitor v = { .socket = accept4(door.listener, NULL, NULL, SOCK_CLOEXEC) };
	bool known;

	if (v.socket < 0) {
		if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS)
			host_sleep_ms(PAUSE_MS);
		return;
	}
	visitor_listens(&v);
	known = visitor_identify(&v);
	v.quiet = !ledger_may_write(v.peer.uid);
	if (known && visitor_is_welcome(&v, door.config) && has_place(&v))
		let_in(&v);
	if (v.socket >= 0) {
		turn_away(&v);
		parting_close(v.socket);
	}
	visitor_listens(NULL);
	visitor_free(&v);
}

/* ---- exiting and stuck processes ---- */

static void reap_one(pid_t pid, int status)
{
	for (size_t i = 0; i < MOST_CLIENTS; i++) {
		struct place *p = &door.places[i];

		if (p->pid != pid)
			continue;
		if (WIFSIGNALED(status) && !p->killed && !(door.ending && WTERMSIG(status) == SIGTERM))
			syslog(LOG_ERR, "process %d, which served a client, was killed by signal %d", (int)pid,
			       WTERMSIG(status));
		*p = (struct place){ 0 };
		door.taken--;
		return;
	}
}

static void reap(void)
{
	pid_t pid;
	int status;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		if (!parting_reap(pid))
			reap_one(pid, status);
}

static void give_up(size_t i)
{
	struct place *p = &door.places[i];

	if (p->killed) {
		p->stuck = true;
		p->until = 0;
		syslog(LOG_ERR, "process %d, which served user %u, does not end: it waits for a file system",
		       (int)p->pid, (unsigned)p->user);
		return;
	}
	syslog(LOG_WARNING, "process %d, which served user %u, is killed: %s", (int)p->pid, (unsigned)p->user,
	       door.busy[i] ? "its session does not end" : "it has waited for its client too long");
	kill(p->pid, SIGKILL);
	p->killed = true;
	p->until = in_seconds(SHORT_PATIENCE);
}

static void watch_places(void)
{
	uint64_t now = host_now();

	for (size_t i = 0; i < MOST_CLIENTS; i++) {
		struct place *p = &door.places[i];

		if (!p->pid || !p->until || now < p->until)
			continue;
		if (door.busy[i] && !door.ending && !p->killed)
			p->until = 0;
		else
			give_up(i);
	}
}

/* In milliseconds; -1: no process has a time limit. */
static int until_next(void)
{
	uint64_t first = 0, now = host_now();

	for (size_t i = 0; i < MOST_CLIENTS; i++) {
		uint64_t until = door.places[i].pid ? door.places[i].until : 0;

		if (until && (!first || until < first))
			first = until;
	}
	return !first ? -1 : first <= now ? 0 : (int)((first - now) / 1000000) + 1;
}

static bool any_to_wait_for(void)
{
	for (size_t i = 0; i < MOST_CLIENTS; i++)
		if (door.places[i].pid && !door.places[i].stuck)
			return true;
	return false;
}

static void begin_end(void)
{
	if (door.ending)
		return;
	door.ending = true;
	for (size_t i = 0; i < MOST_CLIENTS; i++) {
		struct place *p = &door.places[i];

		if (!p->pid || p->killed)
			continue;
		kill(p->pid, SIGTERM);
		p->until = in_seconds(door.busy[i] ? END_PATIENCE : SHORT_PATIENCE);
	}
}

/* ---- the loop ---- */

static void on_signals(void)
{
	struct signalfd_siginfo info;

	while (signals_next(door.signals, &info)) {
		if (info.ssi_signo == SIGCHLD)
			reap();
		else if (info.ssi_signo == SIGTERM || info.ssi_signo == SIGINT)
			begin_end();
	}
}

static int sooner(int a, int b)
{
	return a < 0 || (b >= 0 && b < a) ? b : a;
}

/* False if no client came for IDLE ms. */
static bool step(int idle)
{
	bool accepts = !door.ending && !parting_is_full();
	struct pollfd p[] = {
		{ .fd = accepts ? door.listener : -1, .events = POLLIN },
		{ .fd = door.signals, .events = POLLIN },
	};
	int timeout = sooner(until_next(), ledger_tick()), n;

	if (timeout < 0 && !door.taken)
		timeout = idle;
	else
		idle = -1;
	n = poll(p, 2, timeout);
	if (n == 0 && idle >= 0)
		return false;
	watch_places();
	if (n > 0 && p[1].revents)
		on_signals();
	if (n > 0 && p[0].revents)
		take_client();
	return true;
}

void door_keep(int listener, int signals, const char *config, int idle)
{
	door.listener = listener;
	door.signals = signals;
	door.config = config;
	door.busy = mmap(NULL, MOST_CLIENTS, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (door.busy == MAP_FAILED) {
		message_error("out of memory");
		return;
	}
	parting_open(listener);
	while (!door.ending || any_to_wait_for())
		if (!step(idle))
			break;
	ledger_end();
	parting_end();
}
