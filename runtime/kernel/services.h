/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Services of the runtime that only some scripts need: a file that defines one is part of a module only if the script
 * refers to something in it. */
#ifndef TAP_SERVICES_H
#define TAP_SERVICES_H

#include "session.h"

/* All members are optional. */
struct tap_service {
	int (*open)(void);		/* at load, before the script's own initialisation */
	int (*publish)(void);		/* at load, when tap_session.directory exists */
	int (*start)(void);		/* before probes are attached */
	void (*await)(void);		/* in a task that is about to hit a probe of a program and may sleep */
	void (*stop)(void);		/* before probes are detached */
	void (*report)(void);		/* after that, in process context: prints its messages */
	void (*settle)(void);		/* no handler runs any more: waits for what handlers left to do */
	void (*close)(void);		/* before unloading, when all files are removed; whatever was called since
					 * open */
	int (*snapshot)(void);		/* TAP_SNAPSHOT; of one service at most */
	bool wants_lines;		/* the daemon has to read the source lines of programs */
	bool follows_all;		/* it reports on all threads of the machine: not with --cgroup */
};

/* Each is in the file in parentheses. */
extern const struct tap_service tap_raise_service;		/* raise.c: signals that scripts send */
extern const struct tap_service tap_timekeeping_service;	/* timekeeping.c: the time */
extern const struct tap_service tap_source_service;		/* source.c: source lines of the kernel */
extern const struct tap_service tap_unwind_service;		/* user/unwind.c: user-space stacks */
extern const struct tap_service tap_lines_service;		/* user/lines.c: source lines of programs */
extern const struct tap_service tap_python_service;		/* user/python.c: stacks of Python programs */
extern const struct tap_service tap_globals_service;		/* globals.c: globals that another session takes over */
extern const struct tap_service tap_waitchain_service;	/* waitchain.c: what threads wait for */
extern const struct tap_service tap_recorder_service;		/* recorder.c: a history of each CPU */

int tap_services_open(void);		/* after an error all are closed */
int tap_services_publish(void);
int tap_services_start(void);
bool tap_services_have_await(void);
void tap_services_await(void);
void tap_services_stop(void);
void tap_services_report(void);
void tap_services_settle(void);
void tap_services_close(void);
bool tap_services_want_lines(void);
bool tap_services_follow_all(void);
int tap_services_snapshot(void);	/* -EOPNOTSUPP: no service has it */

#endif
