/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes that translate: whatever a half-typed text does to the translator ends with its process. */
#ifndef TAPC_SERVER_WORKER_H
#define TAPC_SERVER_WORKER_H

#include <jansson.h>
#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

#include "wire.h"

enum { MOST_WORKERS = 8 };

struct worker {
	pid_t pid;			/* 0: unused */
	int fd;				/* the read end of its pipe */
	struct bytes output;
	struct timespec deadline;	/* CLOCK_MONOTONIC */
	bool is_late;			/* it was still running then */
	json_t *id;			/* of the request; NULL: diagnostics */
	char *uri;			/* malloc: the document of diagnostics, or NULL */
	bool is_trial;			/* of knowledge_try */
};

/* Forks. In the parent, returns true, or false if that failed. In the child, calls WORK, sends the message that it
 * returns, which may be NULL, and exits. SECONDS: how long it may take. */
bool worker_start(struct worker *w, unsigned seconds, json_t *(*work)(void *data), void *data);
/* Reads what it has written, after poll(2). Returns true at the end. */
bool worker_receive(struct worker *w);
/* Waits for the end, or the deadline. */
void worker_wait(struct worker *w);
/* Its message, if it is whole; otherwise NULL, with the reason in *REASON. After the end, or to end it: waits for the
 * process, and its children are killed. */
const char *worker_end(struct worker *w, size_t *size, char reason[static 64]);
/* Frees the rest. */
void worker_forget(struct worker *w);
/* Is it past its deadline? Otherwise *MILLISECONDS is reduced to what is left. */
bool worker_is_late(struct worker *w, int *milliseconds);

#endif
