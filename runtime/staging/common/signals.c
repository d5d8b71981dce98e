// SPDX-License-Identifier: GPL-2.0-or-later
/* SIGHUP stays ignored if it was ignored at start (nohup). SIGINT does not: shells start background jobs of
 * scripts with SIGINT ignored, and scripts have always ended such a session with `kill -INT`. */
#include "signals.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

static sigset_t inherited_mask;
static struct sigaction inherited_pipe, inherited_child, inherited_size;

int signals_open(void)
{
	const struct sigaction ignore = { .sa_handler = SIG_IGN };
	const struct sigaction standard = { .sa_handler = SIG_DFL };
	struct sigaction hangup;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGQUIT);
	sigaddset(&set, SIGUSR2);
	sigaddset(&set, SIGCHLD);
	if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN)
		sigaddset(&set, SIGHUP);
	sigaction(SIGPIPE, &ignore, &inherited_pipe);	/* write returns EPIPE */
	sigaction(SIGXFSZ, &ignore, &inherited_size);
	/* if SIGCHLD were ignored, children would leave no status */
	sigaction(SIGCHLD, &standard, &inherited_child);
	sigprocmask(SIG_BLOCK, &set, &inherited_mask);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

void signals_restore(void)
{
	sigaction(SIGPIPE, &inherited_pipe, NULL);
	sigaction(SIGXFSZ, &inherited_size, NULL);
	sigaction(SIGCHLD, &inherited_child, NULL);
	sigprocmask(SIG_SETMASK, &inherited_mask, NULL);
}

bool signals_next(int fd, struct signalfd_siginfo *info)
{
	ssize_t n;

	do {
		n = read(fd, info, sizeof(*info));
	} while (n < 0 && errno == EINTR);
	return n == sizeof(*info);
}
