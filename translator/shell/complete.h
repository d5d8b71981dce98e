/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Completion at the prompt: commands here, script text by the language server's function. */
#ifndef TAPC_SHELL_COMPLETE_H
#define TAPC_SHELL_COMPLETE_H

#include "line.h"
#include "state.h"

/* A line_completer; DATA: the shell. */
char **complete(void *data, const char *line, size_t start, size_t end, enum line_kind *kind);

#endif
