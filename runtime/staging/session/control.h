/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The directory /proc/tap:NAME of a loaded module: commands to the module, its state and its report. */
#ifndef STAGING_CONTROL_H
#define STAGING_CONTROL_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "abi/tap_wire.h"

#define CONTROL_PROC "/proc"

struct control {
	int dir;			/* the directory */
	int fd;				/* control; closing it ends the session unless it is detached */
	struct tap_report report;	/* as last read */
	/* A command in progress (begin and end probes may take a while), while the caller goes on reading: */
	bool running;
	int done;			/* eventfd: readable when the command has ended */
	int result;			/* its errno */
	u16 kind;
	pthread_t thread;
};

/* 0 or errno: ENOENT no such module, EBUSY another process has it open, EPROTO another protocol version.
 * PATIENT: retry for a moment, because it may be open only in a taprun that looks for leftovers. */
int control_open(struct control *c, const char *proc, const char *name, bool patient);
/* The same if USER owns the session or is root; otherwise EACCES. */
int control_open_of(struct control *c, const char *proc, const char *name, uid_t user, bool patient);
/* 0 or errno. */
int control_send(struct control *c, u16 kind, const void *payload, size_t size);
int control_send_number(struct control *c, u16 kind, u32 number);
/* Sets the owner of a session, before another process gets control. 0 or errno. */
int control_own(struct control *c, const struct tap_owner *owner);
/* Starts a command; poll c->done, then control_finish returns its errno. */
void control_begin(struct control *c, u16 kind);
int control_finish(struct control *c);
/* Reads the report: 0 or errno. */
int control_read(struct control *c);
/* The probes' part of the report, c->report.probe_count elements; NULL and errno on failure. The caller frees
 * it. */
struct tap_probe_report *control_read_probes(struct control *c);
/* The globals, in the form of tap_globals.h: NULL and errno on failure, ENOENT if the module was translated without
 * --hand-over. The caller frees them. */
char *control_read_globals(const struct control *c, size_t *size);
void control_close(struct control *c);

/* Calls VISIT with the name of each loaded tapc module. */
void control_each(const char *proc, void (*visit)(const char *proc, const char *name, void *data),
		  void *data);
/* The owner of a session; (uid_t)-1 if there is no session of that name or it was never started. */
uid_t control_owner(const char *proc, const char *name);
/* Opens the session's monitor file, which does not disturb the session, for the report and control_send; the
 * rest of C is not usable. 0 or errno. */
int control_open_monitor(struct control *c, const char *proc, const char *name);
/* An open monitor file keeps the module loaded, so long-term observers close it between reads. control_look
 * then finds the same session or none (ENOENT), even if there is a new one of that name. 0 or errno. */
int control_look(struct control *c);
void control_look_away(struct control *c);

#endif
