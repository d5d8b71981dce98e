/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line: SystemTap's letters with SystemTap's meaning, and tapc's long options. */
#ifndef TAPC_OPTIONS_H
#define TAPC_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"

/* What a script is told that it runs under. */
#define SYSTEMTAP_VERSION "5.6"

struct name_value {
	const char *name, *value;
};

struct options {
	const char *script_file;	/* "-" is stdin; NULL with -e */
	const char *script_text;	/* -e */
	bool has_text;			/* -e was there */
	VEC(const char *) extra;	/* -E: further script texts */
	VEC(const char *) args;		/* $1 @1 ... of the script */
	int last_pass;			/* -p1 .. -p5 */
	int verbose;
	int pass_verbose[5];		/* --vp: and so much more in each pass */
	bool keep;			/* -k */
	bool guru;			/* -g */
	bool no_optimize;		/* -u */
	bool no_warnings;		/* -w */
	bool warnings_are_errors;	/* -W */
	bool color;
	bool kbuild;			/* --kbuild: no replay */
	bool disable_cache, poison_cache;
	bool help, version, script_help;
	bool clean_cache, pretty, timing;
	bool tapset_c;			/* --tapset-c: C of the tapset files given, for the build */
	bool simulate;			/* --simulate: run in a process, without a kernel */
	bool bound;			/* --bound: tell what it may cost, and run nothing */
	unsigned bound_cpus;		/* on a machine with so many; 0: this one */
	uint64_t max_cost, max_memory;	/* 0: no limit */
	bool list, list_variables;	/* -l, -L */
	bool source;			/* --source, with list */
	enum {
		DUMP_NOTHING, DUMP_PROBE_TYPES, DUMP_PROBE_ALIASES, DUMP_FUNCTIONS, DUMP_HELP_FUNCTION,
		DUMP_HELP_PROBE, DUMP_MAN_PAGES,
	} dump;
	const char *dump_argument;	/* the name to help with, or the folder for man pages */
	bool suppress_handler_errors, suppress_time_limits;
	bool strict;			/* --strict: overload ends the session */
	bool skip_badvars;		/* target variables that are not to be had read as 0 */
	bool no_global_var_display;
	bool monitor_globals;
	const char *monitor;		/* taprun's word, or NULL */
	bool vm;			/* --vm[=KREL] */
	const char *vm_kernel;
	const char *module_name;	/* -m */
	const char *sign_module;	/* --sign-module: the folder of key and certificate */
	const char *release;		/* -r: kernel release or build tree */
	const char *arch;		/* -a */
	const char *sysroot;
	const char *output;		/* -o */
	const char *command;		/* -c */
	const char *pid;		/* -x */
	const char *seconds;		/* -T */
	const char *buffer_mb;		/* -s */
	const char *size_limit;		/* -S */
	const char *runtime_dir;	/* -R */
	VEC(const char *) modinfo;	/* --modinfo: NAME=VALUE */
	const char *target_path;	/* --sysenv PATH=...: where programs of the target are; NULL: PATH */
	const char *compatible;		/* --compatible VERSION: systemtap_v */
	bool bulk, flight_recorder;	/* -b, -F */
	VEC(const char *) images;	/* -d, those that are files */
	bool ldd;			/* --ldd */
	VEC(const char *) remotes;	/* --remote */
	bool detach;			/* --detach */
	const char *form;		/* --output */
	const char *lock;		/* --lock */
	const char *flame;		/* --flame */
	/* What needs no script: --sessions, --attach NAME, --stop NAME, --monitor=NAME, --sign KEY FILE... */
	enum { TOOL_NONE, TOOL_SESSIONS, TOOL_ATTACH, TOOL_STOP, TOOL_MONITOR, TOOL_SIGN } tool;
	const char *tool_argument;
	VEC(const char *) tapset_dirs;	/* -I */
	VEC(struct name_value) defines;	/* -D */
	VEC(struct name_value) globals;	/* -G */
	VEC(const char *) kbuild_flags;	/* -B */
	VEC(struct name_value) script_options;	/* --NAME=VALUE of the script, '-' in names as '_' */
	size_t plain_args;		/* how many of args, the last ones, stood behind "--" */
};

/* Fill O; on bad use print one line and return the exit status, else -1 to go on (-h and -V
 * print and return 0). */
int options_parse(struct options *o, struct arena *a, int argc, char **argv);
/* How much is told of PASS, from 1 to 5. */
static inline int options_verbose(const struct options *o, int pass)
{
	return o->verbose + o->pass_verbose[pass - 1];
}

/* Is there a -D NAME or -D NAME=...? */
bool options_defines(const struct options *o, const char *name);
/* Does WORD, up to its '=', name a long option of tapc? */
bool options_is_own(const char *word);
/* For a script that declares named options: take --NAME=VALUE and --help out of its arguments.
 * "--" ends them. False, with a message, on words that can be no option. */
bool options_split_script(struct options *o, struct arena *a);

#endif
