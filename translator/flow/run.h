/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A run of tapc: what the steps from the script's text to its module share, and the steps up to the module's C. main.c
 * takes them in order, for one script; the server and the shell translate texts that change. */
#ifndef TAPC_RUN_H
#define TAPC_RUN_H

#include "base/intern.h"
#include "base/text.h"
#include "build/cache.h"
#include "build/kbuild.h"
#include "debuginfo/images.h"
#include "library/library.h"
#include "meaning/resolve.h"
#include "plan/plan.h"
#include "source/cache_dir.h"
#include "source/options.h"
#include "source/target_host.h"
#include "source/translation.h"
#include "syntax/script_head.h"

/* A source of a script that has several. */
struct run_text {
	const char *name, *text;
};

struct run {
	struct arena *arena;
	struct options options;
	struct target_host target;
	struct cache_dir cache_dir;
	struct images images;
	struct interned names;
	bool *used_args;		/* which arguments the script has used */
	struct translation translation;
	struct library library;
	const char *typed_name;		/* the script's, before it was looked up */
	const char *text;		/* of the script */
	size_t text_size;
	VEC(struct run_text) more;	/* further parts of the script, each with its name in messages */
	int read_error;			/* errno, if it could not be read */
	struct script_head head;
	struct script *script;
	struct program program;
	struct plan plan;
	struct text code, embedded;
	struct cache cache;
	struct kbuild kbuild;
	bool build_tried, build_open;
	struct cache_key key;		/* of all that decides the module */
	const char *script_key;		/* the same, computed from the script and the options; or NULL */
	bool cached;
	char *image;
	size_t image_size;
	int image_fd;			/* where to write it instead of launching it; 0: nowhere */
	int pass;			/* the current one of SystemTap's five passes; 0: none */
	bool is_tapset;			/* the script is a file of the library, in an editor */
	bool is_again;			/* translated before, for another kernel: its warnings have been reported */
};

/* Prepares the translation of a text; the arena, the options and the target are set. */
void run_open(struct run *r);
/* The macros of the language and of the options, for a library. */
struct macros *run_open_macros(struct run *r);
/* Indexes the tapsets for LIB. DATA: the run. False: a directory of tapsets cannot be read. */
bool run_open_library(void *data, struct library *lib);

/* The steps: false after messages. */
bool run_parse(struct run *r);		/* opens the run's library, unless it is open */
bool run_resolve(struct run *r);	/* names, types and the plan; with -l and -L only names */
bool run_emit(struct run *r);

#endif
