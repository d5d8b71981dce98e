/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The output of -p1, -p2 and -l. */
#ifndef TAPC_LIST_H
#define TAPC_LIST_H

#include <stdbool.h>

#include "meaning/resolve.h"

struct images;
struct library;
struct options;
struct target_host;

void list_script(struct arena *a, const struct script *s);
/* Globals, functions and handlers with their types and sites. */
void list_program(const struct program *p);
/* Everything available: the families' points, the aliases, the functions of the tapsets. */
void list_probe_types(void);
void list_aliases(struct library *lib);
void list_functions(struct library *lib);
/* "substr:string (str:string, start:long, length:long)" */
const char *list_function_line(struct arena *a, const struct function *f);
/* The target variables at S, as -L lists them: those of its family, or else those of the debug information. */
void list_variables(const struct site *s, struct sites *quiet, site_variables *own, debug_variables *all);
/* List the places of all points, sorted, one per line, with their target variables if VARIABLES
 * (infer_types must have been called); false if there are no places. */
bool list_sites(struct images *images, struct target_host *host, const struct options *o, const struct program *p,
		bool variables);

#endif
