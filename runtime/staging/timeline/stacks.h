/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Folded stacks ("main;read;vfs_read 42", the outermost frame first) with the sum of their counts. */
#ifndef TIMELINE_STACKS_H
#define TIMELINE_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STACK_DEEPEST = 2000 };	/* frames; the innermost ones of a deeper stack are left out */

struct stack {
	char *frames;
	size_t size;
	uint64_t count, hash;
	struct stack *next;	/* in its chain */
};

struct stacks {
	struct stack **all;	/* in the order in which they appeared */
	size_t count, room;
	struct stack **chains;
};

/* Adds a line; false: it is no folded stack. */
bool stacks_add(struct stacks *s, const char *line, size_t size);
void stacks_free(struct stacks *s);
/* The frame at *AT of a stack, and its size; NULL after the last. */
const char *stack_frame(const struct stack *s, size_t *at, size_t *size);

#endif
