/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The session of the shell: a process that translates the script and becomes taprun. */
#ifndef TAPC_SHELL_SESSION_H
#define TAPC_SHELL_SESSION_H

#include "child.h"
#include "state.h"

/* False, with a message. */
bool session_open(struct shell *sh);
/* Ends what runs. */
void session_close(struct shell *sh);

/* Waits for an event, at most TIMEOUT ms (-1: without limit), and handles it: signals, output and the end of sessions,
 * and WITH_INPUT standard input. */
void session_wait(struct shell *sh, int timeout, bool with_input);

/* Starts a child that has the terminal, and waits for its end. Returns its exit status. */
int session_await(struct shell *sh, child_work *work, void *data);

/* Runs the pieces that are not switched off, and returns when their probes are armed. A session that is running hands
 * over its globals and ends; if the new one cannot start, it goes on. False, with messages. */
bool session_start(struct shell *sh);
/* The script has changed: what runs is replaced, or ends if it has no probes any more. Does nothing if nothing runs. */
bool session_follow(struct shell *sh);
/* Switches the probes of a piece off or on in what runs, where that is possible without a new module. */
bool session_switch(struct shell *sh, const struct piece *p, bool on);
/* Ends it, and returns when its module is unloaded and its output is printed. */
void session_stop(struct shell *sh);

#endif
