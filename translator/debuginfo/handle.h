/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files below debuginfo.h share: the handle, and what opens and closes its parts. */
#ifndef TAPC_DEBUGINFO_BACKEND_H
#define TAPC_DEBUGINFO_BACKEND_H

#include "debuginfo/debuginfo.h"
#include "debuginfo/type.h"
#include "debuginfo/symbols/index.h"

struct btf;
struct btf_types;
struct dwarf_file;
struct map;
struct module_files;
struct program;

struct debuginfo {
	struct arena *arena;
	struct debuginfo_request request;	/* sysroot is never NULL */
	struct debuginfo *kernel;		/* itself, when it is the kernel */
	struct debuginfo *next;			/* of the kernel: its modules */
	const char *module;			/* NULL: the kernel */
	const char *path;			/* of the module's file; NULL: only known to be loaded */
	struct program *program;		/* a program or library, at path; NULL: a kernel or module */
	bool is_user_types;			/* an object of user headers: no program, but its types are of programs */
	/* type_name.c's, for a back end that meets a type which is only declared: the types of all back ends are
	 * above each of them. */
	enum debuginfo_answer (*whole_type)(struct debuginfo *d, enum debug_kind kind, const char *name,
					    const struct debug_type **t, const char **reason);
	const char *reason;
	struct module_files *module_files;	/* of the kernel, when they were asked for */
	struct map *module_names;		/* and of those that are loaded without a file */
	const char *modules_dep;		/* its text */

	bool symbols_opened;
	enum debuginfo_answer symbols_answer;
	const char *symbols_reason;
	struct index index;

	bool btf_opened;
	enum debuginfo_answer btf_answer;
	const char *btf_reason;
	struct btf *btf;
	struct btf_types *btf_types;

	bool dwarf_opened;
	enum debuginfo_answer dwarf_answer;
	const char *dwarf_reason;
	struct dwarf_file *dwarf;
};

/* handle.c: the answer, kept as D's reason. */
enum debuginfo_answer debuginfo_answered(struct debuginfo *d, enum debuginfo_answer answer, const char *reason);
/* Note that D depends on PATH. Does it exist? */
bool debuginfo_uses(struct debuginfo *d, const char *path);
void debuginfo_progress(struct debuginfo *d, const char *what);

#endif
