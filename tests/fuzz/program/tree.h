/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A script as a tree: generated at random (make.c), printed (print.c), and run (run.c). */
#ifndef FUZZ_PROGRAM_TREE_H
#define FUZZ_PROGRAM_TREE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { LIMIT = 64 };			/* the script's MAXSTRINGLEN */
enum { LONGS = 4, TEXTS = 3, GLOBALS = 4, GLOBAL_TEXTS = 3, FUNCTIONS = 4 };

enum kind {
	NUMBER, TEXT, LONG, STRING,	/* constants; variables: local, parameter, global by 'scope' */
	ELEMENT_N, ELEMENT_S, ELEMENT_T,	/* n[long], s[string], t[long, string] */
	UNARY, BINARY, LOGICAL, COMPARE, COMPARE_TEXT, CHOICE,
	ASSIGN, STEP, IN_N, IN_S, IN_T, LENGTH,
	CONCAT, SPRINT, SUBSTR, SPRINTF, ASSIGN_TEXT, CALL,
	/* statements */
	BLOCK, EXPRESSION, PRINT, IF, FOR, WHILE, FOREACH, DELETE, TRY, BREAK, CONTINUE, RETURN, FAIL,
};

struct node {
	enum kind kind;
	char op[4];			/* "+", "<<", ...; for STEP: "++" "--", and 'flag' means prefix */
	int scope, index;		/* variables: 'l' 'g'; CALL: index of the function */
	int64_t number;
	char text[32];
	bool flag;
	int order;			/* FOREACH: 0, by key +-1, by value +-2 */
	unsigned n;
	struct node *child[12];
};

struct function {
	bool is_text;			/* f(long, string) returns a string, otherwise a long */
	struct node *body;
};

extern struct function functions[FUNCTIONS];

/* Generates functions and the body of the probe, which is returned, from SEED. CHANCE: one more random choice, 50 %. */
struct node *program_make(uint64_t seed, bool *chance);
/* Prints the script to stdout; IS_TIMER: the body is a timer's, with another probe that writes. */
void program_print(const struct node *body, bool is_timer);
/* Writes the expected output to OUT. */
void program_run(const struct node *body, FILE *out);

#endif
