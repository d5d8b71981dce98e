/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Everything that emit needs and that is not in the syntax tree: where each global is stored, the locks of each
 * handler, the tables of formats, rows and regular expressions, names in C. */
#ifndef TAPC_PLAN_H
#define TAPC_PLAN_H

#include "direct.h"
#include "meaning/resolve.h"

#include "tap_script.h"

struct tap_filter;
struct tap_regex;
struct diag;
struct images;
struct options;
struct translation;

/* How a global is stored. */
enum storage {
	STORAGE_STATIC,			/* a C variable of the module */
	STORAGE_COUNTER,		/* only stepped: a cell for each CPU and level, added to a C variable */
	STORAGE_CELL_STATS,		/* a scalar aggregate: a cell for each CPU and level */
	STORAGE_MAP,
};

struct global_plan {
	struct variable *variable;
	const char *c_name;
	enum storage storage;
	bool unlisted;			/* an array for core/unlisted.c */
	int lock;			/* number of its lock; -1: no concurrent handler writes it */
	unsigned iterators;		/* nesting depth of sorted foreach loops over it */
};

struct lock_need {
	unsigned lock;
	bool write;
};

typedef VEC(struct lock_need) lock_list;

struct handler_plan {
	struct handler *handler;
	lock_list locks;		/* sorted */
	lock_list condition_locks;	/* held while its conditions are evaluated */
	bool condition_brief;		/* the same as brief, for its conditions */
	bool concurrent;		/* can run at the same time as others: not begin, end, error */
	/* while it holds its locks: */
	bool brief;			/* no loop, so it holds them with interrupts off */
	bool user_stack;		/* reads the user stack, or what is at an address in the process */
	bool fetches;			/* may run again after memory that it could not read was fetched */
	bool changes_conditions;
	bool prints_once;		/* once.h */
	int entry;			/* number of the handler that runs at the function's entry; -1: none */
	bool is_entry;			/* runs at a function's entry; has no rows */
	unsigned regs;			/* the registers it reads: TAP_PROBE_REGS, TAP_PROBE_ALL_REGS;
					 * TAP_PROBE_OVERRIDE */
	enum direct direct;
	const char *why_not_direct;	/* of DIRECT_NEVER */
	struct gated gated;		/* of its rows of returns */
	unsigned body;			/* handlers with equal bodies share one C function */
};

/* A row of the table of probes: sites of one family with one handler. */
struct row {
	const struct handler_plan *handler;
	const struct probe_family *family;
	VEC(const struct site *) sites;
	unsigned number;
};

struct regex_plan {
	const struct expr *match;
	struct tap_regex *compiled;
};

struct filter_plan {
	const char *text;
	const struct tap_filter *compiled;
};

struct format_plan {
	const char *text;		/* NULL: a histogram of variable */
	size_t size;
	u8 kind;			/* TAP_FORMAT_TEXT and so on */
	const struct variable *variable;
	unsigned histogram;
};

/* The effects of a function or handler and its callees. */
struct effects {
	unsigned char *use;		/* EFFECT_READ | EFFECT_WRITE | ... for each global, by number */
	bool loops;			/* has a loop, or a call that may loop */
	bool prints;
	const char *impure;		/* a function whose C code is not marked as pure; NULL: none */
	unsigned regs;			/* TAP_PROBE_... */
	bool calls_regs;		/* some of them by C code of tapsets */
	bool sets_target;		/* assigns to a target variable */
	bool user_stack;		/* C code of tapsets looks up the mappings of the process */
	bool user_memory;		/* reads the memory of the process */
};
enum { EFFECT_READ = 1, EFFECT_WRITE = 2, EFFECT_STEP = 4, EFFECT_ASSIGN = 8, EFFECT_FOREACH = 16,
       EFFECT_ACCUMULATE = 32, EFFECT_SLICE = 64 /* uses elements by a wildcard */ };
/* Effects that change nothing. */
enum { EFFECT_LOOKS = EFFECT_READ | EFFECT_FOREACH | EFFECT_SLICE };

/* A file with source lines for the module. */
struct line_table {
	const char *path;
	size_t skip, size;		/* range of the file, in bytes */
	int64_t first;			/* the place of the table's 0, relative to the anchor or to .text */
	struct tap_functions image;	/* only the members that identify it */
	bool is_module;
	size_t symbol;			/* of a module: index of one of its symbols in symbols, */
	int64_t offset;			/* and the offset of that symbol in .text */
};

struct limit {
	const char *name;		/* "MAXACTION" */
	int64_t value;
};

struct plan {
	struct arena *arena;
	const struct options *options;
	struct images *images;
	struct diag *diag;
	const char *script_name;	/* for messages of the module */
	struct program *program;
	VEC(struct global_plan) globals;	/* variable->number is the index */
	VEC(struct handler_plan) handlers;
	VEC(struct row) rows;			/* sorted by family */
	VEC(struct format_plan) formats;
	VEC(struct regex_plan) regexes;		/* one for each pattern */
	VEC(struct filter_plan) filters;	/* one for each text */
	VEC(const char *) symbols;		/* of modules: "module:symbol" */
	const struct function *lines_user;	/* a function that needs kernel source lines; or NULL */
	VEC(struct line_table) lines;		/* kernel_lines() */
	VEC(struct expr *) embedded_exprs;	/* %{ %} values, in the order in which emit meets them */
	struct effects *function_effects;	/* by function->number */
	unsigned *cycles;			/* by function->number: 0 if not recursive; functions that call each
						 * other have the same number */
	struct function_cost *function_costs;	/* by function->number; cost.h */
	unsigned lock_count;
	bool fetches;				/* any handler does */
	bool bursts;				/* a handler that cannot wait for the reader may print */
	bool needs_embedded;			/* the user's own C code: full kbuild */
	int64_t max_string, max_action, max_action_interruptible, max_nesting, max_entries, max_errors,
		max_skipped, max_trylock, trylock_delay, scratch_given, hist_elision, least_stack, backtrace,
		overload_interval, overload_threshold;
	unsigned scratch;			/* bytes for each context */
	unsigned out;
};

bool plan_program(struct translation *t, struct program *p, struct plan *out);
/* Calls VISIT for each expression of the functions and handlers, an outer one before those in it. */
void plan_each_expr(const struct plan *p, void (*visit)(struct expr *e, void *data), void *data);
/* The number of a format; equal formats share it. KIND: TAP_FORMAT_TEXT and so on. */
unsigned plan_format(struct plan *p, const char *text, size_t size, u8 kind);
unsigned plan_histogram_format(struct plan *p, const struct variable *v, unsigned histogram);
/* The number of a module's symbol, "module:symbol". */
size_t plan_symbol(struct plan *p, const char *symbol);
/* Must a handler that fetches not run again once F, which has C code, was called? */
bool plan_c_has_effect(const struct function *f);

#endif
