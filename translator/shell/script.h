/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The script of the shell, in pieces. A change is translated first: if that fails, there are messages, and nothing has
 * changed. */
#ifndef TAPC_SHELL_SCRIPT_H
#define TAPC_SHELL_SCRIPT_H

#include "state.h"

struct cut;

struct piece *script_find(const piece_list *pieces, unsigned number);
/* Adds the declarations. */
bool script_add(struct shell *sh, const struct cut *added);
/* Replaces a piece by the declarations of CHANGED; without any, the piece is deleted. */
bool script_change(struct shell *sh, unsigned number, const struct cut *changed);
/* Deletes the pieces whose numbers are in WANTED, which has a bool for each number up to last_number. */
bool script_delete(struct shell *sh, const bool *wanted);
/* Prints the pieces, or those whose numbers are in WANTED. */
void script_list(const struct shell *sh, const bool *wanted);
/* The whole script; pieces that are switched off are comments. */
const char *script_text(struct shell *sh);

#endif
