/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One session of a loaded module: configure, start, relay the output, stop, drain, report. */
#ifndef STAGING_SESSION_H
#define STAGING_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "command.h"
#include "control.h"
#include "images/service.h"
#include "meta.h"
#include "options.h"
#include "common/module.h"
#include "common/output.h"
#include "relay.h"
#include "snapshots.h"
#include "common/status.h"
#include "takeover.h"

enum session_phase {
	SESSION_NEW,
	SESSION_STARTING,	/* TAP_START is running */
	SESSION_RUNNING,
	SESSION_STOPPING,	/* TAP_STOP is running */
	SESSION_DRAINING,	/* the module adds no more records */
	SESSION_OVER,		/* everything is printed */
	SESSION_DETACHED,	/* the module runs on without us */
};

struct client;

struct session {
	const struct options *options;	/* given options plus those stored in the module: kept */
	struct options kept;
	const char *proc;		/* directory that contains the module's */
	char name[MODULE_NAME_SIZE];	/* of the module */
	int signals;			/* signals_open */
	struct client *client;		/* tapd, which holds the module for us; NULL: we do */
	struct images images;
	struct takeover takeover;	/* --replace */
	struct control control;		/* open from session_prepare or session_attach on */
	struct meta meta;
	struct relay relay;
	struct outputs outputs;
	struct timeline *timeline;	/* what is printed goes there; NULL: to the outputs */
	struct snapshots snapshots;
	struct commands commands;
	uint64_t cgroup;		/* --cgroup, --container: its number; 0: none */
	int input;			/* input_open; -1 */
	struct pollfd *polls;
	enum session_phase phase;
	bool attached;			/* we did not start it */
	bool stop_wanted, detach_wanted;
	bool error_shown;		/* the script or the module has reported the error */
	uint64_t deadline;		/* -T; 0: none */
	uint64_t next_save;		/* of the timeline; 0: only with the next record */
	uint64_t next_read;		/* earliest time of the next read, to read more at once */
	int start_error;		/* errno of TAP_START */
	enum tap_status trouble;	/* a failure other than the script's */
	void (*started)(struct session *);	/* called once when the probes are armed; may be NULL */
};

void session_init(struct session *s, const struct options *o, const char *proc, int signals);
/* All functions from here to session_finish return a status, 0 to continue. Opens the outputs: */
enum tap_status session_open_outputs(struct session *s);
/* Configures module S->name, which is loaded with S->control open, and sets its parameters. */
enum tap_status session_prepare(struct session *s);
/* The same for a session that runs detached. */
enum tap_status session_attach(struct session *s);
/* Runs until the phase is OVER or DETACHED. */
void session_run(struct session *s);
/* Closes everything except the outputs; the module may be unloaded afterwards. */
void session_close(struct session *s);
/* Waits for the processes that the session started and writes the remaining output. Returns the exit status:
 * STATUS unless that is 0. */
enum tap_status session_finish(struct session *s, enum tap_status status);

#endif
