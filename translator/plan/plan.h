/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Everything that emit needs to know and that no tree tells: where each global lives, which locks a
 * handler takes, the tables of formats, rows and regular expressions, names in C. */
#ifndef TAPC_PLAN_H
#define TAPC_PLAN_H

#include "meaning/resolve.h"

struct tap_regex;
struct translation;

/* Where a global lives. */
enum storage {
	STORAGE_STATIC,			/* a C variable of the module */
	STORAGE_COUNTER,		/* only ever stepped: a cell of each CPU and level, on top of the static */
	STORAGE_CELL_STATS,		/* a scalar aggregate: a cell of each CPU and level */
	STORAGE_MAP,
};

struct global_plan {
	struct variable *variable;
	const char *c_name;
	enum storage storage;
	int lock;			/* number of its lock; -1: no concurrent handler writes it */
	unsigned iterators;		/* how deep sorted foreach over it nest */
};

struct lock_need {
	unsigned lock;
	bool write;
};

typedef VEC(struct lock_need) lock_list;

struct handler_plan {
	struct handler *handler;
	lock_list locks;		/* sorted */
	lock_list condition_locks;	/* those that its conditions are looked at with */
	bool condition_brief;		/* no loop, as brief */
	bool concurrent;		/* may run at the same time as others: not begin, end, error */
	bool brief;			/* no loop: its locks are held with interrupts off */
	bool changes_conditions;
	int entry;			/* number of the handler that runs at the function's entry; -1: none */
	bool is_entry;			/* it is such a one, and has no rows */
	unsigned regs;			/* TAP_PROBE_REGS, TAP_PROBE_ALL_REGS: what it reads;
					 * TAP_PROBE_OVERRIDE */
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

struct format_plan {
	const char *text;		/* NULL: a histogram of variable */
	size_t size;
	bool is_global;			/* shows a global at exit */
	const struct variable *variable;
	unsigned histogram;
};

/* What a function or handler does to globals, by their number; callees included. */
struct effects {
	unsigned char *use;		/* EFFECT_READ | EFFECT_WRITE | ... for each global */
	bool loops;			/* runs a loop, or a call that may */
	bool prints;
	const char *impure;		/* C that does not say it is pure: the function's name; NULL: none */
	unsigned regs;			/* TAP_PROBE_... */
};
enum { EFFECT_READ = 1, EFFECT_WRITE = 2, EFFECT_STEP = 4, EFFECT_ASSIGN = 8, EFFECT_FOREACH = 16,
       EFFECT_ACCUMULATE = 32 };

/* Lines of sources that the module is to have: a file of them. */
struct line_table {
	const char *path;
	size_t skip, size;		/* bytes of the file */
	int64_t first;			/* the place that the table's 0 is, from the anchor or into .text */
	const char *image;		/* C: members of struct tap_functions that tell whose they are */
	bool is_module;
	size_t symbol;			/* a module's: the number of one of symbols, */
	int64_t offset;			/* which is there in .text */
};

struct limit {
	const char *name;		/* "MAXACTION" */
	int64_t value;
};

struct plan {
	struct translation *translation;
	struct program *program;
	VEC(struct global_plan) globals;	/* variable->number is the index */
	VEC(struct handler_plan) handlers;
	VEC(struct row) rows;			/* sorted by family */
	VEC(struct format_plan) formats;
	VEC(struct regex_plan) regexes;		/* one a pattern */
	VEC(const char *) symbols;		/* of modules: "module:symbol" */
	const struct function *lines_user;	/* one that wants lines of the kernel's sources; or NULL */
	VEC(struct line_table) lines;		/* kernel_lines() */
	VEC(struct expr *) embedded_exprs;	/* %{ %} values, as emit meets them */
	struct effects *function_effects;	/* by function->number */
	unsigned *cycles;			/* the same: not 0 of recursive ones, and one number for those that call
						 * each other */
	struct function_cost *function_costs;	/* the same; cost.h */
	unsigned lock_count;
	bool bursts;				/* a handler that cannot wait for the reader may print */
	bool needs_embedded;			/* the user's own C: full kbuild */
	int64_t max_string, max_action, max_action_interruptible, max_nesting, max_entries, max_errors,
		max_skipped, max_trylock, hist_elision, least_stack, backtrace,
		overload_interval, overload_threshold;
	unsigned scratch;			/* bytes a context */
	unsigned out;
};

bool plan_program(struct translation *t, struct program *p, struct plan *out);
/* What one statement or expression does, callees included. */
struct effects plan_effects(const struct plan *p, struct stmt *s);
void plan_expr_effects(const struct plan *p, struct expr *e, struct effects *out);
/* The number of a format; equal ones share it. */
/* IS_GLOBAL: it shows a global at exit. */
unsigned plan_format(struct plan *p, const char *text, size_t size, bool is_global);
unsigned plan_histogram_format(struct plan *p, const struct variable *v, unsigned histogram);
int64_t plan_histogram_buckets(const struct histogram *h);
/* The number of a symbol of a module's, "module:symbol". */
size_t plan_symbol(struct plan *p, const char *symbol);
/* Does the region touch a global that the handler must lock? */
bool plan_needs_lock(const struct plan *p, const struct effects *e);

#endif
