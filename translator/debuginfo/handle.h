/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files below debuginfo.h: the handle and the state of its back ends. */
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
	struct debuginfo *kernel;		/* D itself if it is the kernel */
	struct debuginfo *next;			/* kernel: its list of modules */
	const char *module;			/* NULL: the kernel */
	const char *path;			/* of the module's file; NULL: it is loaded, but its
						 * file is not known */
	struct program *program;		/* a program or library, in PATH; NULL: a kernel or module */
	bool is_user_types;			/* an object compiled from user headers: not a
						 * program, but its types are those of programs */
	/* Set by type_name.c, for a back end that finds only a declaration of a type: a lookup in
	 * all back ends, which a single back end cannot call directly. */
	enum debuginfo_answer (*whole_type)(struct debuginfo *d, enum debug_kind kind, const char *name,
					    const struct debug_type **t, const char **reason);
	const char *reason;
	struct module_files *module_files;	/* kernel: cached after the first query */
	struct map *module_names;		/* kernel: the same, including modules that are
						 * loaded without a file */
	const char *modules_dep;		/* contents of modules.dep */

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

/* handle.c: set D's reason and return ANSWER. */
enum debuginfo_answer debuginfo_answered(struct debuginfo *d, enum debuginfo_answer answer, const char *reason);
/* Record that D depends on PATH. Returns whether it exists. */
bool debuginfo_uses(struct debuginfo *d, const char *path);
void debuginfo_progress(struct debuginfo *d, const char *what);

#endif
