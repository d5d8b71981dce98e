/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Warnings of what the user wrote for nobody: variables set and never read, or read and never set,
 * statements without effect, functions and globals without a use. */
#ifndef TAPC_WARN_H
#define TAPC_WARN_H

#include "syntax/ast.h"

struct handler;
struct library;
struct translation;
struct warnings;

struct warnings *warnings_open(struct translation *t, struct library *lib);
/* What follows is about OWNER, a function or a probe, with these locals. A probe of several handlers
 * comes once for each, with the HANDLER; it is told of what is useless in all of them. */
void warnings_begin(struct warnings *w, const void *owner, const struct handler *h, const variable_list *locals);
void warn_set_only(struct warnings *w, const struct variable *v);
void warn_no_effect(struct warnings *w, const struct expr *e);
/* After is_read and is_written of these are known. */
void warn_locals(struct warnings *w, const variable_list *locals);
/* What is read, never set and has no type is an error, if types are known by now. */
void warnings_tell(struct warnings *w, bool types_known);

/* Declarations of the user's that nothing uses. */
void warn_unused(struct translation *t, struct library *lib);

#endif
