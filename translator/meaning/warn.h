/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Warnings about useless code of the user: variables set and never read, or read and never set,
 * statements without effect, unused functions and globals. */
#ifndef TAPC_WARN_H
#define TAPC_WARN_H

#include "syntax/ast.h"

struct handler;
struct images;
struct library;
struct options;
struct warnings;

struct warnings *warnings_open(struct images *images, const struct options *o, struct library *lib);
/* The following calls are about OWNER, a function or a probe, with these locals. For a probe with several
 * handlers, this is called once for each of them; a warning is printed only if it applies to all. */
void warnings_begin(struct warnings *w, const void *owner, const struct handler *h, const variable_list *locals);
void warn_set_only(struct warnings *w, const struct variable *v);
void warn_no_effect(struct warnings *w, const struct expr *e);
/* Called when is_read and is_written of LOCALS are known. */
void warn_locals(struct warnings *w, const variable_list *locals);
/* Prints the warnings. If TYPES_KNOWN, a variable that is read, never set and has no type is an error. */
void warnings_tell(struct warnings *w, bool types_known);

/* Warns about unused declarations of the user. */
void warn_unused(struct library *lib);

#endif
