/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the shell share: the script in pieces, the session that runs, and the shell itself. */
#ifndef TAPC_SHELL_STATE_H
#define TAPC_SHELL_STATE_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/vec.h"
#include "flow/run.h"

/* A declaration of the script. */
struct piece {
	unsigned number;		/* the user's name for it, which no other piece gets later */
	unsigned changes;
	const char *source;		/* its file's name in messages: "#3", after a change "#3/2" */
	const char *text;
	bool is_probe, is_off;
};
typedef VEC(struct piece) piece_list;

/* A process that translates and becomes taprun; its session. */
struct session {
	pid_t pid;			/* 0: none */
	const char *module;
	int output;			/* the end of a pipe; -1: its output is not ours to show */
	struct text line;		/* the beginning of a line of it */
	bool is_started;
	piece_list pieces;		/* what it was made from */
};

struct shell {
	struct run *run;
	char **argv;
	int (*execute)(struct run *run);
	struct arena *arena;
	name_list settings;		/* the words of 'set' */
	piece_list pieces;
	unsigned last_number, last_module;
	struct session session;		/* that runs, or starts */
	struct session leaving;		/* that it has replaced, or that ends */
	struct text open;		/* the lines so far of a declaration that is not whole */
	unsigned changing;		/* the number of the piece that they are for; 0: new ones */
	int signals, started;		/* descriptors: signals; messages that sessions have started */
	const char *started_name;	/* the socket, as NOTIFY_SOCKET */
	bool is_terminal, is_over, is_interrupted;
	int status;			/* of the first command that failed */
	int ended_with;			/* the status of the last session that has ended */
};

#endif
