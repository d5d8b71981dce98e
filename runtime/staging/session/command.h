/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes that a session starts: the command of -c, which waits until the probes are in place, and
 * the script's system(). */
#ifndef STAGING_COMMAND_H
#define STAGING_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct commands {
	pid_t pid;		/* of -c; 0: none */
	bool running;
	int status;		/* when it has ended: exit status, 128+N for signal N */
	int gate;		/* a byte lets it go, the end of file ends it */
	int failure;		/* errno of an exec that failed, or the end of file */
	pid_t *others;		/* of system() */
	size_t other_count;
};

void command_init(struct commands *c);
/* TEXT, a program and its arguments or what sh -c takes, stopped before its first instruction; its output to FD. 0 or
 * errno. */
int command_prepare(struct commands *c, const char *text, int fd);
/* Let it go: 0, or the errno of exec. */
int command_release(struct commands *c);
/* system(): sh -c TEXT, its output to FD. */
void command_system(struct commands *c, const char *text, size_t size, int fd);
/* After SIGCHLD. True when the command of -c has just ended. */
bool command_reap(struct commands *c);
static inline bool command_any(const struct commands *c) { return c->running || c->other_count; }
/* A command that was never released ends. */
void command_forget(struct commands *c);

#endif
