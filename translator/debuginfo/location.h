/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions with which back ends build location steps. */
#ifndef TAPC_DEBUGINFO_LOCATION_H
#define TAPC_DEBUGINFO_LOCATION_H

#include "debuginfo/place.h"

struct location_step *location_add(struct arena *a, struct location *l, enum location_op op,
				   int64_t value);
struct location location_nowhere(const char *reason);
/* Append steps that extend a value of type T to 64 bits. */
void location_extend(struct arena *a, struct location *l, const struct debug_type *t);
/* The address of a variable in the symbol table. */
struct location location_of_symbol(struct arena *a, const struct symbol *s);

/* Evaluate a location's steps, for tests: REG and READ return the target's state; false, with REASON,
 * if a step fails. The same code decides, at translation, whether emit may use the location. */
struct location_state {
	bool (*reg)(void *data, unsigned number, uint64_t *value);
	bool (*read)(void *data, uint64_t address, unsigned size, uint64_t *value);
	/* For ADDRESS; also for TLS and PERCPU, with the popped value as the step's value. May be NULL. */
	bool (*address)(void *data, const struct location_step *step, uint64_t *value);
	uint64_t cfa;			/* 0: not known */
	const struct arch *arch;
	void *data;
};
bool location_evaluate(const struct location_step *steps, size_t n, const struct location_state *s,
		       uint64_t *value, const char **reason);

#endif
