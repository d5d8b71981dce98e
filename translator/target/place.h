/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The queries of target variables: from a site to the variables visible there, and from "kernel" or
 * a module's name to an image. */
#ifndef TAPC_TARGET_PLACE_H
#define TAPC_TARGET_PLACE_H

#include "points/family.h"

struct arch;
struct target_scope;

/* Find NAME (with its '$') at the scope's site, in IMAGE; reasons why it was not found are added to PROBLEMS. */
bool target_variable(const struct target_scope *at, const char *name,
		     struct site_variable *v, struct debuginfo **image, struct sites *problems);
/* $$vars, $$parms, $$locals, $$return. False: the place has no debug information. */
bool target_variables(const struct target_scope *at, const char *name,
		      site_variables *list, struct sites *problems);
/* Find a type by its name in MODULE: "kernel", a module's name, or several separated by ':'; NULL:
 * the image of the site. */
bool target_type(const struct target_scope *at, const char *module,
		 const char *name, const struct debug_type **type, struct sites *problems);
bool target_enumerator(const struct target_scope *at, const char *module,
		       const char *name, int64_t *value, struct sites *problems);
/* Find "name" or "name@file" in MODULE and return its image in IMAGE. False with v->name: its
 * address is in a symbol table, but its type is not known. */
bool target_global(const struct target_scope *at, const char *module,
		   const char *name, struct debug_variable *v, struct debuginfo **image,
		   struct sites *problems);
const struct site *target_site(const struct target_scope *at);
/* For the reasons of an answer about AT. */
struct sites target_problems(const struct target_scope *at);
/* The site as pp() shows it. */
const char *target_site_text(struct arena *a, const struct site *s);
/* The architecture of the code that is probed there: that of a 32-bit program differs. */
const struct arch *target_site_arch(const struct target_scope *at);

#endif
