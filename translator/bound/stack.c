/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The stack that a handler and the script functions it calls may need, from the frame sizes that
 * the compiler reports (gcc -fstack-usage: "script.c:12:13:probe_0<TAB>48<TAB>static"). A function
 * that is not in the report was inlined into its callers. The C code of the tapsets and of the
 * runtime needs stack in addition: MINSTACKSPACE is reserved for it. */
#include "stack.h"

#include <stdlib.h>
#include <string.h>

#include "bound.h"

enum { RETURN_ADDRESS = 8 };

struct stack_walk {
	const struct plan *plan;
	const struct bound_frames *frames;
	uint64_t *functions;		/* by number, once known: bytes + 1; 0: not known */
	bool *open;			/* being measured; a call to it is a recursion */
	uint64_t most;
};

/* ---- compiler's report ---- */

/* Clones by the compiler ("fn_f.part.0") count as the function itself; the largest one is used. */
static void read_line(struct arena *a, struct bound_frames *f, const char *text, const char *end)
{
	const char *tab = memchr(text, '\t', (size_t)(end - text)), *name = tab;
	uint64_t *bytes, n;
	char *key;

	if (!tab)
		return;
	while (name > text && name[-1] != ':')
		name--;
	key = arena_strndup(a, name, strcspn(name, ".\t"));
	n = strtoull(tab + 1, NULL, 10);
	bytes = map_get(&f->bytes, key);
	if (!bytes) {
		bytes = arena_new(a, uint64_t);
		map_set(&f->bytes, key, bytes);
	}
	*bytes = n > *bytes ? n : *bytes;
}

void bound_read_frames(struct bound_frames *f, struct arena *a, const char *usage)
{
	map_init(&f->bytes, a);
	f->known = usage != NULL;
	while (usage && *usage) {
		size_t n = strcspn(usage, "\n");

		read_line(a, f, usage, usage + n);
		usage += n + (usage[n] == '\n');
	}
}

static uint64_t frame_of(const struct stack_walk *w, const char *name)
{
	const uint64_t *bytes = map_get(&w->frames->bytes, name);

	return bytes ? *bytes + RETURN_ADDRESS : 0;
}

/* ---- calls ---- */

static void walk_stmt(struct stmt **sp, void *data);

/* A recursion is at most MAXNESTING deep; if functions call each other, each of them is counted at that depth. */
static uint64_t function_stack(struct stack_walk *w, const struct function *f)
{
	uint64_t frame = frame_of(w, f->c_name), outer = w->most, all;
	struct stmt *body = f->body;

	if (w->functions[f->number])
		return w->functions[f->number] - 1;
	if (w->open[f->number] || !f->body)
		return 0;
	w->open[f->number] = true;
	w->most = 0;
	walk_stmt(&body, w);
	all = frame + w->most;
	if (w->plan->cycles[f->number])
		all += frame * (uint64_t)w->plan->max_nesting;
	w->most = outer;
	w->open[f->number] = false;
	w->functions[f->number] = all + 1;
	return all;
}

static void walk_expr(struct expr **ep, void *data)
{
	struct stack_walk *w = data;

	if (!*ep)
		return;
	if ((*ep)->kind == EXPR_CALL)
		vec_each(f, &(*ep)->call.candidates) {
			uint64_t n = function_stack(w, *f);

			w->most = n > w->most ? n : w->most;
		}
	expr_each(*ep, walk_expr, w);
}

static void walk_stmt(struct stmt **sp, void *data)
{
	if (*sp)
		stmt_each(*sp, walk_expr, walk_stmt, data);
}

void bound_add_stack(struct bound *b, const struct bound_frames *frames)
{
	const struct plan *p = b->plan;
	size_t n = p->program->functions.n + 1;
	struct stack_walk w = { .plan = p, .frames = frames,
				.functions = arena_array(p->arena, uint64_t, n),
				.open = arena_array(p->arena, bool, n) };

	if (!frames->known)
		return;
	vec_each(h, &p->handlers) {
		uint64_t bytes = frame_of(&w, arena_printf(p->arena, "probe_%u", h->handler->number));

		w.most = 0;
		walk_stmt(&h->handler->body, &w);
		bytes += w.most;
		vec_each(to, &b->probes)
			if (to->probe == h->handler->probe && bytes > to->stack)
				to->stack = bytes;
	}
}
