// SPDX-License-Identifier: GPL-2.0-or-later
/* tapd: load modules for users who may not do so themselves. It accepts; each client is served by a
 * process of its own (broker.c), so that none waits for another and none's mistake is another's. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <syslog.h>
#include <unistd.h>

#include "broker.h"
#include "control.h"
#include "host.h"
#include "message.h"
#include "metrics.h"
#include "policy.h"
#include "protocol.h"
#include "signals.h"
#include "status.h"
#include "trust.h"

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "0.1"
#endif

static const char usage[] =
"usage: tapd [--config FILE] [--idle SECONDS]      with a socket from systemd\n"
"       tapd --foreground [--socket PATH] [--config FILE]\n"
"       tapd --metrics WHERE                       serve OpenMetrics on a port of 127.0.0.1 or a path\n"
"       tapd --sign KEY MODULE.ko...               make MODULE.ko.sig (tapc --sign)\n"
"\n"
"  --foreground    make the socket, stay, and write the log to stderr too\n"
"  --socket PATH   instead of " TAPD_SOCKET "\n"
"  --config FILE   instead of " POLICY_FILE "\n"
"  --idle SECONDS  end after so long without a client (with systemd's socket; 0: never)\n"
"  -V, -h          version, this help\n";

enum {
	MOST_CLIENTS = 1024, MOST_OF_USER = 256,
	FIRST_FD = 3,		/* of sd_listen_fds(3) */
	PAUSE_MS = 200,		/* when a client cannot be taken */
};

struct client_process {
	pid_t pid;
	uid_t user;
};

static struct daemon {
	const char *socket_path, *config;
	const char *made;		/* the socket that is to be removed */
	const char *key;		/* --sign */
	const char *metrics;		/* --metrics */
	bool foreground;
	unsigned idle;
	int listener, signals;
	struct client_process *clients;
	size_t client_count;
	bool ending;
} self = { .socket_path = TAPD_SOCKET, .config = POLICY_FILE, .idle = 60, .listener = -1, .signals = -1 };

/* ---- options ---- */

static int parse(int argc, char **argv)
{
	enum { FOREGROUND = 256, SOCKET, CONFIG, IDLE, SIGN, METRICS };
	static const struct option options[] = {
		{ "foreground", no_argument, NULL, FOREGROUND },
		{ "socket", required_argument, NULL, SOCKET },
		{ "config", required_argument, NULL, CONFIG },
		{ "idle", required_argument, NULL, IDLE },
		{ "sign", required_argument, NULL, SIGN },
		{ "metrics", required_argument, NULL, METRICS },
		{ "version", no_argument, NULL, 'V' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	char *end;

	for (int letter; (letter = getopt_long(argc, argv, "Vh", options, NULL)) >= 0;)
		switch (letter) {
		case FOREGROUND: self.foreground = true; break;
		case SOCKET: self.socket_path = optarg; break;
		case CONFIG: self.config = optarg; break;
		case METRICS: self.metrics = optarg; break;
		case SIGN: self.key = optarg; break;
		case IDLE:
			self.idle = (unsigned)strtoul(optarg, &end, 10);
			if (*optarg >= '0' && *optarg <= '9' && !*end && self.idle < 1000000)
				break;
			message_error("--idle takes seconds, not '%s'", optarg);
			return TAP_STATUS_USAGE;
		case 'V': puts("tapd (tapc) " PACKAGE_VERSION); return 0;
		case 'h': fputs(usage, stdout); return 0;
		default: return TAP_STATUS_USAGE;
		}
	if (self.key && optind < argc)
		return trust_sign(self.key, argv + optind, argc - optind) ? 0 : TAP_STATUS_HOST;
	if (self.key) {
		message_error("--sign takes a key and the modules to be signed");
		return TAP_STATUS_USAGE;
	}
	if (optind == argc)
		return -1;
	message_error("'%s' is no option; tapd -h shows all", argv[optind]);
	return TAP_STATUS_USAGE;
}

/* ---- the socket ---- */

/* systemd's, as sd_listen_fds(3) describes; -1: none. */
static int inherited_socket(int wanted)
{
	const char *pid = getenv("LISTEN_PID"), *count = getenv("LISTEN_FDS");
	bool ours = pid && count && atol(pid) == getpid() && strcmp(count, "1") == 0;
	int type = 0, listens = 0;
	socklen_t size = sizeof(int);

	unsetenv("LISTEN_PID");
	unsetenv("LISTEN_FDS");
	unsetenv("LISTEN_FDNAMES");
	if (!ours)
		return -1;
	if (getsockopt(FIRST_FD, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == wanted &&
	    getsockopt(FIRST_FD, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 && listens)
		return FIRST_FD;
	message_error("the socket that was handed over is of another kind: the units of tapd make the right one");
	return -1;
}

static int loopback_socket(unsigned port)
{
	const struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port),
					     .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;

	if (fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) == 0 &&
	    bind(fd, (const struct sockaddr *)&address, sizeof(address)) == 0 && listen(fd, 16) == 0)
		return fd;
	message_error("cannot listen on port %u of 127.0.0.1: %s", port, strerror(errno));
	host_close(&fd);
	return -1;
}

/* Everybody may connect; who it is decides. A socket that a dead tapd left is replaced, a living
 * one's is not. */
static int own_socket(const char *path, int type)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);
	mode_t mask = umask(0111);
	int err = 0;

	if (strlen(path) >= sizeof(address.sun_path)) {
		message_error("the socket's path '%s' is too long", path);
		return -1;
	}
	strcpy(address.sun_path, path);
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0)
		err = EADDRINUSE;
	else if (errno == ECONNREFUSED)
		unlink(path);
	if (!err && (bind(fd, (struct sockaddr *)&address, sizeof(address)) < 0 || listen(fd, 128) < 0))
		err = errno;
	umask(mask);
	if (!err) {
		self.made = path;
		return fd;
	}
	message_error("cannot listen on '%s': %s", path, strerror(err));
	host_close(&fd);
	return -1;
}

static int open_listener(void)
{
	int type = self.metrics ? SOCK_STREAM : SOCK_SEQPACKET, fd = inherited_socket(type);
	unsigned long port;
	char *end;

	if (fd >= 0 || (!self.foreground && !self.metrics))
		return fd;
	if (!self.metrics)
		return own_socket(self.socket_path, type);
	port = strtoul(self.metrics, &end, 10);
	return !*end && port && port < 65536 ? loopback_socket((unsigned)port)
					     : own_socket(self.metrics, type);
}

/* ---- clients ---- */

static uid_t user_of(int fd)
{
	struct ucred who = { .uid = (uid_t)-1 };
	socklen_t size = sizeof(who);

	getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size);
	return who.uid;
}

static bool has_place(uid_t user)
{
	size_t count = 0;

	for (size_t i = 0; i < self.client_count; i++)
		count += self.clients[i].user == user;
	return self.client_count < MOST_CLIENTS && (count < MOST_OF_USER || user == 0);
}

static void serve(int fd)
{
	host_close(&self.listener);
	broker_serve(fd, self.signals, self.config);
	_exit(0);
}

/* A connection that cannot be taken is closed, or waits in the kernel's queue. */
static void take_client(void)
{
	_cleanup_close_ int fd = accept4(self.listener, NULL, NULL, SOCK_CLOEXEC);
	uid_t user = fd < 0 ? 0 : user_of(fd);
	pid_t pid;

	if (fd < 0) {
		if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS)
			host_sleep_ms(PAUSE_MS);
		return;
	}
	if (!has_place(user)) {
		syslog(LOG_WARNING, "too many clients: one of user %u is turned away", (unsigned)user);
		return;
	}
	pid = fork();
	if (pid == 0)
		serve(fd);
	if (pid < 0) {
		syslog(LOG_ERR, "cannot serve a client: %s", strerror(errno));
		host_sleep_ms(PAUSE_MS);
		return;
	}
	self.clients = host_grow(self.clients, (self.client_count + 1) * sizeof(*self.clients));
	self.clients[self.client_count++] = (struct client_process){ pid, user };
}

static void reap(void)
{
	pid_t pid;
	int status;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (WIFSIGNALED(status))
			syslog(LOG_ERR, "process %d, which served a client, died of signal %d", (int)pid,
			       WTERMSIG(status));
		for (size_t i = 0; i < self.client_count; i++)
			if (self.clients[i].pid == pid) {
				self.clients[i] = self.clients[--self.client_count];
				break;
			}
	}
}

/* ---- the loop ---- */

static void on_signals(void)
{
	struct signalfd_siginfo info;

	while (signals_next(self.signals, &info)) {
		if (info.ssi_signo == SIGCHLD) {
			reap();
		} else if (info.ssi_signo == SIGTERM || info.ssi_signo == SIGINT) {
			self.ending = true;
			for (size_t i = 0; i < self.client_count; i++)
				kill(self.clients[i].pid, SIGTERM);
		}
	}
}

static void run(void)
{
	int idle = self.foreground || !self.idle ? -1 : (int)self.idle * 1000;

	while (!self.ending || self.client_count) {
		struct pollfd p[] = {
			{ .fd = self.ending ? -1 : self.listener, .events = POLLIN },
			{ .fd = self.signals, .events = POLLIN },
		};
		int n = poll(p, 2, self.client_count ? -1 : idle);

		if (n == 0)
			return;
		if (n > 0 && p[1].revents)
			on_signals();
		if (n > 0 && p[0].revents)
			take_client();
	}
}

int main(int argc, char **argv)
{
	struct policy policy;
	int status;

	host_standard_files();
	message_open(COLOUR_AUTO, false, 0);
	status = parse(argc, argv);
	if (status >= 0)
		return status;
	if (!policy_read(&policy, self.config))
		return TAP_STATUS_USAGE;
	policy_free(&policy);
	openlog("tapd", LOG_PID | (self.foreground ? LOG_PERROR : 0), LOG_AUTHPRIV);
	self.listener = open_listener();
	self.signals = signals_open();
	if (self.listener < 0 || self.signals < 0) {
		if (!self.foreground)
			message_error("tapd is started by systemd (tapd.socket), or with --foreground");
		return TAP_STATUS_HOST;
	}
	fcntl(self.listener, F_SETFL, O_NONBLOCK);	/* a client may be gone before it is accepted */
	fcntl(self.listener, F_SETFD, FD_CLOEXEC);
	if (self.metrics) {
		metrics_serve(self.listener, self.signals, CONTROL_PROC);
	} else {
		if (!broker_open())
			return TAP_STATUS_HOST;
		trust_open();
		run();
	}
	if (self.made)
		unlink(self.made);
	return 0;
}
