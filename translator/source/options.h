/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line: SystemTap's letters with the same meaning, and tapc's long options. */
#ifndef TAPC_OPTIONS_H
#define TAPC_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"
#include "script_options.h"
#include "staging/common/option_table.h"

/* The environment of a script. */
#define SYSTEMTAP_VERSION "5.6"

struct name_value {
	const char *name, *value;
};

/* The members that hold the value of one option are declared by the table: FLAG(keep) is `bool keep`. */
#define FLAG(member) bool member;
#define COUNT(member) int member;
#define TEXT(member) const char *member;
#define LIST(member) name_list member;
#define CHECKED(function, member) const char *member;
#define CALL(function)
#define CHOOSE(function, number)
#define OPTION(group, letter, name, argument, kind, set, module, passed, help) set
#define SHARED(group, letter, name, argument, kind, loader, translator, module, passed, help) translator

struct options {
#include "staging/common/options.def"
#include "source/options.def"
	struct arena *arena;		/* for what follows */
	const char *script_file;	/* "-" is stdin; NULL with -e */
	const char *script_text;	/* -e, and the points of -l and similar options */
	bool has_text;			/* -e was given */
	const char *input;		/* standard input, if it had to be read to find the script's options */
	size_t input_size;
	name_list args;			/* $1 @1 ... of the script */
	size_t plain_args;		/* how many of args, the last ones, followed "--" */
	const declared_options *declared;	/* those of the script; NULL: not known yet */
	bool script_has_arguments;	/* it uses $1, argv or the like, so --help may be one */
	bool script_help;
	VEC(struct name_value) script_options;	/* given options of the script: its global, and the value to set */
	VEC(struct name_value) defines;	/* -D */
	VEC(struct name_value) globals;	/* -G */
	name_list images;		/* files of -d */
	name_list modinfo;		/* NAME=VALUE */
	const char *module_name;	/* -m */
	int last_pass;			/* -p1 .. -p5 */
	int pass_verbose[5];		/* --vp: added to verbose in each pass */
	bool color;
	bool bound;			/* --bound: only report the cost */
	unsigned bound_cpus;		/* for a machine with this number; 0: this one */
	uint64_t max_cost, max_memory;	/* 0: no limit */
	enum { FORMAT_NOT, FORMAT_PRINT, FORMAT_CHECK, FORMAT_WRITE } format;	/* --format of the files in args */
	enum { PREPARE_NOT, PREPARE_OWN, PREPARE_SYSTEM } prepare;	/* --prepare, for this user or all */
	bool list, list_variables;	/* -l, -L */
	bool source;			/* --source, with list */
	enum {
		DUMP_NOTHING, DUMP_PROBE_TYPES, DUMP_PROBE_ALIASES, DUMP_FUNCTIONS, DUMP_HELP_FUNCTION,
		DUMP_HELP_PROBE, DUMP_MAN_PAGES,
	} dump;
	const char *dump_argument;	/* the name for help, or the directory for man pages */
	const char *monitor;		/* taprun's word, or NULL */
	bool vm;			/* --vm[=KREL] */
	const char *vm_kernel;
	const char *sign_module;	/* --sign-module: the directory of key and certificate */
	const char *target_path;	/* --sysenv PATH=...: where programs of the target are; NULL: PATH */
	/* Tools without a script: --sessions, --attach NAME, --stop NAME, --monitor=NAME, --sign KEY FILE... */
	enum { TOOL_NONE, TOOL_SESSIONS, TOOL_ATTACH, TOOL_STOP, TOOL_SNAPSHOT, TOOL_MONITOR, TOOL_SIGN } tool;
	const char *tool_argument;
};

#undef FLAG
#undef COUNT
#undef TEXT
#undef LIST
#undef CHECKED
#undef CALL
#undef CHOOSE
#undef OPTION
#undef SHARED

/* The table: those of options.def, without SystemTap's of options_peer.h. */
extern const struct option_row option_rows[];
extern const size_t option_row_count;

/* Called as soon as the script's name, the first of args, or its text is known: may replace the name by a path, and
 * sets declared and script_has_arguments, on which the meaning of the other words depends. */
typedef void script_look(void *data, struct options *o);

/* Fill O. On wrong usage, print one line and return the exit status, otherwise return -1 to continue (-h and -V
 * print and return 0). */
int options_parse(struct options *o, struct arena *a, int argc, char **argv, script_look *look, void *data);
/* Whether --output shows slices, as timelines do. */
bool options_show_slices(const struct options *o);
/* How much is reported of PASS, from 1 to 5. */
static inline int options_verbose(const struct options *o, int pass)
{
	return o->verbose + o->pass_verbose[pass - 1];
}

/* Is there a -D NAME or -D NAME=...? */
bool options_defines(const struct options *o, const char *name);
/* Whether functions of the kernel may call handlers directly: -D TAP_DIRECT without -D TAP_NO_DIRECT. */
bool options_direct(const struct options *o);
/* Whether the script's options are set when the module is started, so that one module serves all values; otherwise
 * they are part of what is translated. */
bool options_set_at_start(const struct options *o);

#endif
