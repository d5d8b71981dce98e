// SPDX-License-Identifier: GPL-2.0-or-later
/* tapd loads modules for users who may not do so themselves. The socket is made here; clients are admitted by
 * door.c, and each is served by a separate process in broker.c. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <syslog.h>
#include <unistd.h>

#include "daemon/broker.h"
#include "session/control.h"
#include "daemon/door.h"
#include "common/host.h"
#include "common/message.h"
#include "daemon/metrics.h"
#include "daemon/policy.h"
#include "common/protocol.h"
#include "common/signals.h"
#include "common/status.h"
#include "daemon/trust.h"

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "0.1"
#endif

static const char usage[] =
"usage: tapd [--config FILE] [--idle SECONDS]      with a socket from systemd\n"
"       tapd --foreground [--socket PATH] [--config FILE]\n"
"       tapd --metrics WHERE                       serve OpenMetrics on a port of 127.0.0.1 or a path\n"
"       tapd --sign KEY MODULE.ko...               write MODULE.ko.sig (tapc --sign)\n"
"\n"
"  --foreground    create the socket, stay in the foreground, log to stderr too\n"
"  --socket PATH   instead of " TAPD_SOCKET "\n"
"  --config FILE   instead of " POLICY_FILE "\n"
"  --idle SECONDS  exit after this long without a client (with systemd's socket; 0: never)\n"
"  -V, -h          version, this help\n";

enum { FIRST_FD = 3 };		/* first inherited descriptor, see sd_listen_fds(3) */

#ifndef SO_PASSRIGHTS
#define SO_PASSRIGHTS 83
#endif

static struct daemon {
	const char *socket_path, *config;
	const char *made;		/* the socket to be removed at exit */
	const char *key;		/* --sign */
	const char *metrics;		/* --metrics */
	bool foreground;
	unsigned idle;
	int listener, signals;
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
			message_error("--idle: expected seconds, found '%s'", optarg);
			return TAP_STATUS_USAGE;
		case 'V': puts("tapd (tapc) " PACKAGE_VERSION); return 0;
		case 'h': fputs(usage, stdout); return 0;
		default: return TAP_STATUS_USAGE;
		}
	if (self.key && optind < argc)
		return trust_sign(self.key, argv + optind, argc - optind) ? 0 : TAP_STATUS_HOST;
	if (self.key) {
		message_error("--sign: expected a key and modules to sign");
		return TAP_STATUS_USAGE;
	}
	if (optind == argc)
		return -1;
	message_error("unexpected argument '%s'; tapd -h shows the usage", argv[optind]);
	return TAP_STATUS_USAGE;
}

/* ---- the socket ---- */

/* The socket from systemd, as described in sd_listen_fds(3); -1: none. */
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
	message_error("the inherited socket has the wrong type: use tapd's systemd units");
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

/* All users may connect; rights are checked later. A socket left by a dead tapd is replaced, that of a running
 * one is not. */
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

/* Non-blocking, because a client may be gone before it is accepted. Since Linux 6.16, SO_PASSRIGHTS off stops
 * peers from sending descriptors. */
static void prepare_listener(int fd)
{
	const int off = 0;

	fcntl(fd, F_SETFL, O_NONBLOCK);
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	setsockopt(fd, SOL_SOCKET, SO_PASSRIGHTS, &off, sizeof(off));	/* older kernels do not have it */
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
			message_error("tapd must be started by systemd (tapd.socket) or with --foreground");
		return TAP_STATUS_HOST;
	}
	prepare_listener(self.listener);
	if (self.metrics) {
		metrics_serve(self.listener, self.signals, CONTROL_PROC);
	} else {
		if (!broker_open())
			return TAP_STATUS_HOST;
		trust_open();
		door_keep(self.listener, self.signals, self.config,
			  self.foreground || !self.idle ? -1 : (int)self.idle * 1000);
	}
	if (self.made)
		unlink(self.made);
	return 0;
}
