/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes that a session starts: the command of -c, which waits until the probes are armed, and the script's
 * system(). */
#ifndef STAGING_COMMAND_H
#define STAGING_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct commands {
	pid_t pid;		/* of -c; 0: none */
	bool running;
	int status;		/* after its end: exit status, 128+N for signal N */
	int gate;		/* a byte releases the command, end of file ends it */
	int failure;		/* gives the errno of a failed exec, or end of file */
	pid_t *others;		/* of system() */
	size_t other_count;
};

void command_init(struct commands *c);
/* Starts TEXT, a program with arguments or a command for sh -c, and stops it before its first instruction. Its
 * output goes to FD. 0 or errno. */
int command_prepare(struct commands *c, const char *text, int fd);
/* Releases it: 0, or the errno of exec. */
int command_release(struct commands *c);
/* system(): runs sh -c TEXT with its output to FD. */
void command_system(struct commands *c, const char *text, size_t size, int fd);
/* Call this after SIGCHLD. True if the command of -c has just ended. */
bool command_reap(struct commands *c);
static inline bool command_any(const struct commands *c) { return c->running || c->other_count; }
/* Ends a command that was never released. */
void command_forget(struct commands *c);

#endif
