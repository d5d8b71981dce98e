/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The manual's entries for words that are not functions: built-in ones, and macros. */
#ifndef TAPC_TOOLS_MANUAL_WORD_H
#define TAPC_TOOLS_MANUAL_WORD_H

#include "manual.h"

/* Appends the documentation of a word that is not a function: a built-in one, such as printf and @count, or a macro,
 * with or without the '@'. False, without a message, if NAME is not such a word. */
bool manual_word_text(const struct manual *m, const char *name, struct text *out);
void manual_word_names(const struct manual *m, struct arena *a, name_list *names);

#endif
