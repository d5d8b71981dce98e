/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The directory /proc/tap:NAME of a loaded module: commands to it, its state, its report. */
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
	int fd;				/* control; closing it ends the session unless detached */
	struct tap_report report;	/* as last read */
	/* A command that runs (begin and end probes take their time) while others go on reading: */
	bool running;
	int done;			/* eventfd: readable when it has ended */
	int result;			/* its errno */
	u16 kind;
	pthread_t thread;
};

/* 0 or errno: ENOENT no such module, EBUSY another has it open, EPROTO it speaks another version.
 * PATIENT: who has it open may be a taprun that just looks for leftovers; ask again for a moment. */
int control_open(struct control *c, const char *proc, const char *name, bool patient);
/* The same when the session is USER's, or USER is root; else EACCES. */
int control_open_of(struct control *c, const char *proc, const char *name, uid_t user, bool patient);
/* 0 or errno. */
int control_send(struct control *c, u16 kind, const void *payload, size_t size);
int control_send_number(struct control *c, u16 kind, u32 number);
/* Whose session it is, with limits (0: none), before anybody else gets control. 0 or errno. */
int control_own(struct control *c, uid_t user, uint64_t memory, uint32_t seconds);
/* Start a command; poll c->done, then control_finish gives its errno. */
void control_begin(struct control *c, u16 kind);
int control_finish(struct control *c);
/* Read the report: 0 or errno. */
int control_read(struct control *c);
/* The probes' part of the report, c->report.probe_count of them; NULL and errno. To be freed. */
struct tap_probe_report *control_read_probes(struct control *c);
void control_close(struct control *c);

/* Calls VISIT with the name of each module of tapc that is loaded. */
void control_each(const char *proc, void (*visit)(const char *proc, const char *name, void *data),
		  void *data);
/* Its owner; (uid_t)-1 when there is none of that name, or none that was ever begun. */
uid_t control_owner(const char *proc, const char *name);
/* The session's file monitor, which disturbs nobody: open for the report and control_send, but no other
 * part of C is. 0 or errno. */
int control_open_monitor(struct control *c, const char *proc, const char *name);
/* Who has monitor open keeps the module loaded. Whoever looks on for long looks away in between; later it is the
 * same session that is seen, or none (ENOENT), also when there is a new one of that name. 0 or errno. */
int control_look(struct control *c);
void control_look_away(struct control *c);

#endif
