/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The script as a syntax tree. The parser builds it; resolve, target and infer fill in the members
 * that are marked with their names; emit reads it. Nodes are allocated in the translation's arena.
 *
 * The parser limits the depth (parse_state.h): an expression has at most 5,000 operators in
 * left-associative chains (a + b + ...) and 500 levels of everything else; a chain of 'else if' has
 * at most 5,000 links; blocks nest at most 500 deep. Later stages may therefore recurse. */
#ifndef TAPC_AST_H
#define TAPC_AST_H

#include <stdbool.h>
#include <stdint.h>

#include "source/script_options.h"
#include "source/source.h"
#include "base/vec.h"

struct access;			/* how to access a target variable: access.h */
struct debug_type;		/* the pointee of a typed pointer: debuginfo.h */
struct expr;
struct stmt;
struct function;
struct variable;
struct probe;

enum type {
	TYPE_UNKNOWN,
	TYPE_LONG,
	TYPE_STRING,
	TYPE_STATS,
	TYPE_ERROR,			/* already reported; causes no second message */
};

typedef VEC(struct expr *) expr_list;
typedef VEC(struct function *) function_list;
typedef VEC(struct variable *) variable_list;

/* ---- expressions ---- */

enum expr_kind {
	EXPR_NUMBER,
	EXPR_STRING,
	EXPR_NAME,			/* x: a variable, never a function */
	EXPR_INDEX,			/* x[a, *, b] */
	EXPR_TARGET,			/* $x->y[1]$$, and @cast() and @var() with such components */
	EXPR_ARROW,			/* e->y: a typed pointer (autocast) followed by components */
	EXPR_UNARY,			/* - + ! ~ */
	EXPR_ADDRESS,			/* &$x->y */
	EXPR_BINARY,			/* + - * / % << >> & ^ | . (concatenation) and comparisons */
	EXPR_LOGICAL,			/* && || */
	EXPR_TERNARY,
	EXPR_ASSIGN,			/* = += ... .= <<< */
	EXPR_STEP,			/* prefix and postfix ++ -- */
	EXPR_IN,			/* [a, *] in x */
	EXPR_MATCH,			/* e =~ "regex", !~ */
	EXPR_FILTER,			/* @packet_matches(e, "filter") */
	EXPR_CALL,			/* f(...) */
	EXPR_PRINT,			/* the print family */
	EXPR_STAT,			/* @count(x) @sum ... @percentile(x, p) */
	EXPR_HIST,			/* @hist_log(x), @hist_linear(x, low, high, step) */
	EXPR_HIST_INDEX,		/* @hist_log(x)[i], i in @hist_log(x) */
	EXPR_ENTRY,			/* @entry(e) */
	EXPR_DEFINED,			/* @defined(e) */
	EXPR_PROBEWRITE,		/* @probewrite(x) */
	EXPR_PERF,			/* @perf("name") */
	EXPR_TYPE_OP,			/* @sizeof @offsetof @container_of @enum @enumname @const ... */
	EXPR_EMBEDDED,			/* %{ ... %} as a value */
};

/* Operators of EXPR_UNARY, BINARY, LOGICAL and the arithmetic part of ASSIGN. USHR is >>>, which
 * shifts in zeros; it has no assignment operator. */
enum op {
	OP_NONE,
	OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_MOD, OP_SHL, OP_SHR, OP_USHR, OP_AND, OP_XOR, OP_OR,
	OP_CONCAT,
	OP_EQ, OP_NE, OP_LT, OP_LE, OP_GT, OP_GE,
	OP_LAND, OP_LOR,
	OP_NEG, OP_PLUS, OP_NOT, OP_BITNOT,
	OP_STAT_ADD,			/* <<< */
};
const char *op_text(enum op op);	/* "+", "<<", ... as in a script */

/* One step of a target expression: ->name, [index], or a closing $ / $$ (pretty). */
enum component_kind { COMPONENT_MEMBER, COMPONENT_INDEX, COMPONENT_PRETTY };
struct component {
	enum component_kind kind;
	struct span span;
	const char *name;		/* MEMBER */
	struct expr *index;		/* INDEX */
	unsigned depth;			/* PRETTY: 1 for $, 2 for $$ */
};
typedef VEC(struct component) component_list;

enum target_kind { TARGET_VARIABLE, TARGET_CAST, TARGET_VAR };

enum stat_op {
	STAT_NONE, STAT_COUNT, STAT_SUM, STAT_MIN, STAT_MAX, STAT_AVG, STAT_VARIANCE,
	STAT_PERCENTILE,
	STAT_HIST_LOG, STAT_HIST_LINEAR,
};
const char *stat_op_name(enum stat_op op);	/* "count", "hist_log", ... */

struct print_op {
	bool to_string;			/* sprint...: the value is a string */
	bool has_format;		/* printf, sprintf */
	bool has_delimiter;		/* printd, printdln: first argument */
	bool newline;			/* println, printdln */
	bool is_char;			/* print_char: %c of one number */
	bool has_parts;			/* too many values for the stack */
	bool is_row;			/* @row: its delimiter is "table(column, ...)" */
	const char *name;		/* as written: "printdln" */
};

/* "reads(pid, name, ns)" of @row */
struct row_shape {
	const char *table;
	name_list columns;
};

struct enumerator {
	const char *name;
	int64_t value;
};

struct expr {
	enum expr_kind kind;
	enum type type;			/* infer */
	struct span span;
	const struct debug_type *pointee;	/* resolve, infer: set for a typed pointer, else NULL; see pointee.h */
	union {
		struct {
			int64_t value;
			bool decided;	/* the answer to @defined and the like, not a literal */
		} number;
		struct {
			const char *text;	/* escapes already interpreted; NUL-terminated */
			size_t size;
		} string;
		struct {
			const char *name;
			struct variable *variable;	/* resolve */
		} name;
		struct {
			struct expr *array;	/* EXPR_NAME; never EXPR_HIST, which makes a HIST_INDEX */
			expr_list keys;		/* NULL element: the wildcard '*' */
		} index;
		struct {
			enum target_kind what;
			const char *name;	/* "$x", "$$parms", "$return", "$arg1", "$1" never; @var: "v@file.c" */
			struct expr *base;	/* @cast: the pointer */
			const char *type_name;	/* @cast: "struct task_struct" */
			const char *module;	/* @cast, @var: "kernel", "kernel<linux/x.h>", path; or NULL */
			component_list components;
			bool address;		/* operand of & */
			int64_t number;		/* @kderef(): bytes; @kregister(): number; type_name is NULL */
			struct access *access;	/* target: how to access it; NULL while unresolved */
			struct expr *pretty;	/* target: the text of $x$ and $$vars; its parts are relative
						 * to ACCESS */
		} target;
		struct {
			struct expr *base;
			component_list components;
			bool address;
			struct access *access;
			struct expr *pretty;
		} arrow;
		struct {
			enum op op;
			struct expr *operand;
		} unary;			/* UNARY, ADDRESS */
		struct {
			enum op op;
			struct expr *left, *right;
		} binary;			/* BINARY, LOGICAL */
		struct {
			struct expr *condition, *yes, *no;
		} ternary;
		struct {
			enum op op;		/* OP_NONE for '=' */
			struct expr *left, *right;
		} assign;
		struct {
			struct expr *operand;
			int delta;		/* +1 or -1 */
			bool before;		/* ++x */
		} step;
		struct {
			expr_list keys;		/* NULL element: '*' */
			struct expr *array;
		} in;
		struct {
			struct expr *subject;
			const char *pattern;
			size_t pattern_size;
			struct span pattern_span;
			bool negated;
			unsigned regex;		/* plan: number of the compiled regex */
		} match;
		struct {
			struct expr *skb;
			struct expr *text;	/* EXPR_STRING, in libpcap's language */
			unsigned number;	/* plan: of the compiled filter */
		} filter;
		struct {
			const char *name;
			expr_list args;
			function_list candidates;	/* resolve: overloads in order */
			bool is_statement;	/* resolve: the value is not used */
		} call;
		struct {
			struct print_op op;
			const char *format;	/* has_format: the constant format text */
			size_t format_size;
			struct span format_span;
			const char *delimiter;
			size_t delimiter_size;
			struct row_shape row;	/* is_row */
			expr_list args;		/* without format and delimiter */
			unsigned record;	/* plan: number of the format */
		} print;
		struct {
			enum stat_op op;
			struct expr *stat;	/* NAME or INDEX of type STATS */
			expr_list params;	/* hist_linear: low, high, step; variance: bits; percentile */
			unsigned histogram;	/* infer: index of the variable's histogram */
		} stat;				/* STAT, HIST */
		struct {
			struct expr *hist;	/* EXPR_HIST */
			struct expr *bucket;
			bool is_in;		/* bucket in hist: is its count non-zero? */
		} hist_index;
		struct {
			struct expr *operand;
			struct variable *saved;	/* target: the variable in which @entry saves it */
		} operand;			/* ENTRY, DEFINED, PROBEWRITE */
		struct {
			const char *name;	/* perf: counter; embedded: C text */
			unsigned counter;
		} perf;
		struct {
			const char *op;		/* "sizeof", "offsetof", "kderef", ... */
			expr_list args;
			VEC(struct enumerator) enumerators;	/* target: @enumname */
		} type_op;
		struct {
			const char *code;
			size_t size;
			bool is_string;		/* the C code has the string pragma */
			bool is_pure, is_stable;
			size_t number;		/* emit */
			function_list accessors;	/* resolve: accessors of the globals that it names */
			expr_list parameters;	/* resolve: those of the function that it names, as STAP_ARG_x */
		} embedded;
	};
};

/* ---- statements ---- */

enum stmt_kind {
	STMT_EMPTY, STMT_BLOCK, STMT_EXPR, STMT_IF, STMT_WHILE, STMT_FOR, STMT_FOREACH, STMT_RETURN,
	STMT_BREAK, STMT_CONTINUE, STMT_NEXT, STMT_TRY, STMT_DELETE,
};

/* foreach ([k1, k2] in a[*, 5] @sum- limit 10): sort_key 0: by value; 1..n: by that key; -1: unsorted */
struct foreach_stmt {
	VEC(struct expr *) keys;	/* EXPR_NAME each: loop variables */
	struct expr *value;		/* foreach (v = k in a): EXPR_NAME, or NULL */
	struct expr *array;		/* EXPR_NAME or EXPR_HIST */
	expr_list slice;		/* empty, or one for each key; NULL element: '*' */
	int sort_key;
	int direction;			/* +1 ascending, -1 descending, 0 unsorted */
	enum stat_op sort_op;		/* by value of a STATS array; STAT_COUNT when not written */
	struct expr *limit;		/* or NULL */
	struct stmt *body;
};

struct stmt {
	enum stmt_kind kind;
	struct span span;
	union {
		VEC(struct stmt *) block;
		struct expr *expr;		/* EXPR, RETURN (or NULL), DELETE; EMPTY: the expression that
						 * simplify removed, or NULL */
		struct {
			struct expr *condition;
			struct stmt *yes, *no;	/* no may be NULL */
		} if_;
		struct {
			struct expr *start, *condition, *step;	/* each may be NULL; WHILE: condition only */
			struct stmt *body;
		} loop;				/* WHILE, FOR */
		struct foreach_stmt foreach;
		struct {
			struct stmt *body, *handler;
			struct expr *message;	/* EXPR_NAME, or NULL */
		} try_;
	};
};

/* ---- declarations ---- */

enum { MOST_KEYS = 128 };

/* ENTRY: saved at a function's entry for its return. */
enum variable_kind { VARIABLE_GLOBAL, VARIABLE_LOCAL, VARIABLE_PARAMETER, VARIABLE_ENTRY };

/* A histogram of an aggregate that some expression uses. */
struct histogram {
	enum stat_op op;		/* STAT_HIST_LOG, STAT_HIST_LINEAR */
	int64_t low, high, step;	/* linear; log: low is the number of sub-bucket bits */
};

struct variable {
	enum variable_kind kind;
	const char *name;		/* as in the script, also for private globals */
	const char *c_name;		/* plan: unique name in C */
	struct span span;
	enum type type;			/* infer; for arrays, the type of the value */
	struct span type_span;		/* infer: the place that determined the type */
	bool type_declared;
	const struct debug_type *pointee;
	int key_count;			/* -1 unknown, 0 scalar, else array */
	enum type key_types[MOST_KEYS < 16 ? MOST_KEYS : 16];
	struct span key_spans[16];
	struct expr *size;		/* global a[SIZE]: NUMBER, or NULL */
	bool wrap;			/* global a% */
	bool is_private;
	bool is_option;			/* @option: set when the session starts */
	struct expr *initial;		/* constant, or NULL */
	const struct source *file;	/* for private */
	bool is_used, is_read, is_written;	/* resolve */
	bool is_asked_for;		/* resolve: named in a @defined */
	unsigned stat_ops;		/* infer: 1u << stat_op, for STATS */
	VEC(struct histogram) histograms;
	struct function *getter, *setter;	/* resolve: for the script's C code, or NULL */
	unsigned number;		/* plan: index among globals, or slot among locals */
};

struct handler;

struct function {
	const char *name;
	const char *c_name;		/* plan */
	struct span span;		/* the name */
	enum type type;			/* of the value; UNKNOWN after infer: no value */
	struct span type_span;
	bool type_declared;
	const struct debug_type *pointee;
	variable_list parameters;
	struct stmt *body;		/* or NULL: embedded */
	const char *embedded;		/* C body, or NULL */
	size_t embedded_size;
	struct span embedded_span;
	bool is_private;
	int64_t priority;		/* overloads: lower first; library functions come later */
	bool has_priority;
	variable_list locals;	/* resolve */
	bool is_used;			/* resolve */
	bool has_return_value;		/* resolve */
	bool is_value_used;		/* infer: some call uses the value */
	bool calls_next;		/* resolve: can continue with the next overload */
	bool is_accessor;		/* resolve: accessor of a global, for the script's C code */
	function_list accessors;	/* resolve: accessors of the globals that its C code names */
	/* resolve: it uses variables of the probe that calls it, so each handler has its own copy of the function.
	 * This copy belongs to HANDLER, or to its @entry part if at_entry is set: */
	bool asked_of_probe, is_of_probe;
	struct function *original;
	struct handler *handler;
	bool at_entry;
	unsigned number;		/* plan */
	unsigned mark;			/* scratch of one walk */
};

/* One component of a probe point: function("vfs_read"), begin(5), syscall, "*" */
struct point_component {
	const char *name;
	struct span span;
	bool has_argument;
	bool is_string;			/* the argument is a string, otherwise a number */
	const char *text;
	int64_t number;
};

struct point {
	VEC(struct point_component) components;
	struct span span;
	bool optional;			/* ? */
	bool sufficient;		/* ! */
	struct expr *condition;		/* if (...), or NULL */
	const struct point *derived_from;	/* resolve: the alias use that led here, or NULL */
	const char *alias;		/* resolve: the first alias use in the script, with its wildcards expanded */
};
typedef VEC(struct point *) point_list;

struct probe {
	struct span span;		/* the word 'probe' */
	point_list points;
	struct stmt *body;
	/* probe alias: */
	point_list names;		/* probe A = / += ...: the names that it defines; empty for a plain probe */
	bool is_epilogue;		/* += */
	struct stmt *epilogue;		/* probe A = B { } , { }: the second body, or NULL */
	variable_list locals;	/* resolve */
	unsigned number;		/* plan */
};

struct embedded_code {
	struct span span;
	const char *code;
	size_t size;
};

/* A named option of the script, an extension of tapc: global n = @option("top", 10, "how many to show", "1..100")
 * gives the global n the default value 10; --top=20 on the command line changes it. */
struct script_option {
	struct declared_option declared;
	struct variable *variable;
	struct span span;
};

/* One parsed file. */
struct script {
	const struct source *source;
	VEC(struct probe *) probes;
	VEC(struct probe *) aliases;
	function_list functions;
	variable_list globals;
	VEC(struct embedded_code) embedded;
	VEC(struct script_option) options;
};

struct expr *expr_make(struct arena *a, enum expr_kind kind, struct span span);
struct stmt *stmt_make(struct arena *a, enum stmt_kind kind, struct span span);
/* Does F's C code contain WORD? The C code of tapsets declares its requirements in this way. */
bool embedded_says(const struct function *f, const char *word);
/* Whether F is C of a script, not of a shipped tapset. */
bool function_is_scripts_c(const struct function *f);
/* Whether handlers have C of their own for F of a shipped tapset (runtime/abi/tap_current.h). */
bool function_is_inline(const struct function *f);
void expr_become_number(struct expr *e, int64_t value);
/* Deep copies, for bodies that are used in several places (aliases, per-site variables). */
struct expr *expr_copy(struct arena *a, const struct expr *e);
struct stmt *stmt_copy(struct arena *a, const struct stmt *s);

/* Visits E's direct sub-expressions through pointers, so that a visitor can replace them. */
void expr_each(struct expr *e, void (*visit)(struct expr **, void *), void *data);
/* Visits the expressions directly in S, then its sub-statements. Either visitor may be NULL. */
void stmt_each(struct stmt *s, void (*visit_expr)(struct expr **, void *),
	       void (*visit_stmt)(struct stmt **, void *), void *data);

/* What E assigns to, or NULL: the left side of =, <<< and such, the operand of ++ and --. */
struct expr *expr_assigned(const struct expr *e);
/* Is E something that can be assigned to? */
bool expr_is_lvalue(const struct expr *e);
/* The variable of a NAME or of the array of an INDEX; otherwise NULL. */
struct variable *expr_variable(const struct expr *e);

#endif
