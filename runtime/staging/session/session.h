/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One session of a loaded module: configure, start, relay what it prints, stop, drain, report. */
#ifndef STAGING_SESSION_H
#define STAGING_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "command.h"
#include "control.h"
#include "images/service.h"
#include "meta.h"
#include "options.h"
#include "common/output.h"
#include "relay.h"
#include "common/status.h"

enum session_phase {
	SESSION_NEW,
	SESSION_STARTING,	/* TAP_START is under way */
	SESSION_RUNNING,
	SESSION_STOPPING,	/* TAP_STOP is */
	SESSION_DRAINING,	/* the module adds nothing more */
	SESSION_OVER,		/* all is printed */
	SESSION_DETACHED,	/* the module goes on without us */
};

struct client;

struct session {
	const struct options *options;	/* those given, and what the module was made with: kept */
	struct options kept;
	const char *proc;		/* where the module's directory is */
	const char *name;		/* the module's */
	int signals;			/* signals_open */
	struct client *client;		/* of tapd, which holds the module for us; NULL: we do */
	struct images images;
	struct control control;		/* open from session_prepare or session_attach on */
	struct meta meta;
	struct relay relay;
	struct outputs outputs;
	struct commands commands;
	int input;			/* input_open; -1 */
	struct pollfd *polls;
	enum session_phase phase;
	bool attached;			/* not started by us */
	bool stop_wanted, detach_wanted;
	bool error_shown;		/* the script or the module said what was wrong */
	uint64_t deadline;		/* -T; 0: none */
	uint64_t next_read;		/* not before: collects more in one go */
	int start_error;		/* errno of TAP_START */
	enum tap_status trouble;	/* what went wrong beside the script */
	void (*started)(struct session *);	/* told once when the probes are in place; or NULL */
};

void session_init(struct session *s, const struct options *o, const char *proc, int signals);
/* All that follows until session_finish give a status, 0 to go on. Where text goes: */
enum tap_status session_open_outputs(struct session *s);
/* Module S->name is loaded and S->control open: configure it and set parameters. */
enum tap_status session_prepare(struct session *s);
/* The same with a session that runs detached. */
enum tap_status session_attach(struct session *s);
/* Until the phase is OVER or DETACHED. */
void session_run(struct session *s);
/* Close all but the outputs; the module may be unloaded now. */
void session_close(struct session *s);
/* Wait for the processes that it started, write what is left; the exit status, STATUS unless that is 0. */
enum tap_status session_finish(struct session *s, enum tap_status status);

#endif
