/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See locks.h. */
#include "locks.h"

static unsigned lock_mode(const struct global_plan *g, unsigned use)
{
	switch (g->storage) {
	case STORAGE_COUNTER:
	case STORAGE_CELL_STATS:
		return 0;
	case STORAGE_MAP:
		if (g->variable->type == TYPE_STATS)
			return use & (EFFECT_ASSIGN | EFFECT_FOREACH | EFFECT_READ) ? 2 : 0;
		return use & (EFFECT_ASSIGN | EFFECT_FOREACH) ? 2 : use & EFFECT_READ ? 1 : 0;
	case STORAGE_STATIC:
		break;
	}
	return use & (EFFECT_ASSIGN | EFFECT_STEP) ? 2 : use & EFFECT_READ ? 1 : 0;
}

/* Two globals that each concurrent handler uses in the same mode share a lock. */
static bool same_modes(const struct plan *p, const struct effects *all, const struct global_plan *a,
		       const struct global_plan *b)
{
	for (size_t i = 0; i < p->handlers.n; i++)
		if (p->handlers.items[i].concurrent &&
		    lock_mode(a, all[i].use[a->variable->number]) !=
			    lock_mode(b, all[i].use[b->variable->number]))
			return false;
	return true;
}

void plan_assign_locks(struct plan *p, const struct effects *all, const struct effects *asked)
{
	for (size_t i = 0; i < p->globals.n; i++) {
		struct global_plan *g = &p->globals.items[i];
		bool written = false;

		for (size_t h = 0; h < p->handlers.n; h++)
			written |= (p->handlers.items[h].concurrent &&
				    lock_mode(g, all[h].use[g->variable->number]) == 2) ||
				   lock_mode(g, asked[h].use[g->variable->number]) == 2;
		if (!written)
			continue;
		for (size_t j = 0; j < i && g->lock < 0; j++)
			if (p->globals.items[j].lock >= 0 &&
			    same_modes(p, all, g, &p->globals.items[j]))
				g->lock = p->globals.items[j].lock;
		if (g->lock < 0)
			g->lock = (int)p->lock_count++;
	}
}

void plan_add_locks(const struct plan *p, lock_list *locks, const struct effects *e)
{
	unsigned *modes = arena_array(p->arena, unsigned, p->lock_count + 1);

	vec_each(g, &p->globals) {
		unsigned mode = g->lock < 0 ? 0 : lock_mode(g, e->use[g->variable->number]);

		if (mode && mode > modes[g->lock])
			modes[g->lock] = mode;
	}
	for (unsigned i = 0; i < p->lock_count; i++)
		if (modes[i])
			*vec_add(p->arena, locks) = (struct lock_need){ i, modes[i] == 2 };
}

bool plan_needs_lock(const struct plan *p, const struct effects *e)
{
	for (size_t i = 0; i < p->globals.n; i++)
		if (p->globals.items[i].lock >= 0 && lock_mode(&p->globals.items[i], e->use[i]))
			return true;
	return false;
}
