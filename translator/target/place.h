/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What target variables ask of sites and images: from a site to what can be seen there, from "kernel"
 * or a module's name to an image. */
#ifndef TAPC_TARGET_PLACE_H
#define TAPC_TARGET_PLACE_H

#include "points/family.h"

struct arch;
struct target_scope;

/* NAME (with its '$') at the scope's site, in IMAGE; what keeps it from being found is added to PROBLEMS. */
bool target_variable(struct translation *t, const struct target_scope *at, const char *name,
		     struct site_variable *v, struct debuginfo **image, struct sites *problems);
/* $$vars, $$parms, $$locals, $$return. False: nothing is known of this place. */
bool target_variables(struct translation *t, const struct target_scope *at, const char *name,
		      site_variables *list, struct sites *problems);
/* A type by its name in MODULE: "kernel", a module's name, several with ':' between them; NULL: that of
 * the site. */
bool target_type(struct translation *t, const struct target_scope *at, const char *module,
		 const char *name, const struct debug_type **type, struct sites *problems);
bool target_enumerator(struct translation *t, const struct target_scope *at, const char *module,
		       const char *name, int64_t *value, struct sites *problems);
/* "name" or "name@file" in MODULE; IMAGE is where. False with v->name: a symbol table has its address, and
 * nothing its type. */
bool target_global(struct translation *t, const struct target_scope *at, const char *module,
		   const char *name, struct debug_variable *v, struct debuginfo **image,
		   struct sites *problems);
const struct site *target_site(const struct target_scope *at);
/* The site as pp() shows it. */
const char *target_site_text(struct arena *a, const struct site *s);
const struct arch *target_arch(const struct translation *t);
/* Of the code that is probed there: a 32-bit program's is another one. */
const struct arch *target_site_arch(const struct translation *t, const struct target_scope *at);

#endif
