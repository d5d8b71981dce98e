/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Translating changes a run, so each translation of the shell takes place in its own process, with a copy. */
#ifndef TAPC_SHELL_CHILD_H
#define TAPC_SHELL_CHILD_H

#include "state.h"

/* Done in the child with its copy of the run; returns the exit status. */
typedef int child_work(struct shell *sh, struct run *r, void *data);

/* Returns its process number; -1, with a message. It has the terminal, and Ctrl-C ends it. */
pid_t child_start_here(struct shell *sh, child_work *work, void *data);
/* In the background: it gets no input and none of the terminal's signals, and SIGTERM when the shell ends in any way.
 * OUTPUT: for what it prints; -1: where the shell prints. */
pid_t child_start(struct shell *sh, child_work *work, void *data, int output);

/* Let R translate the pieces. WITH_ALL: also those that are switched off. */
void child_take_pieces(struct run *r, const piece_list *pieces, bool with_all);

#endif
