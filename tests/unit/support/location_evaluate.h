/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TEST_LOCATION_EVALUATE_H
#define TEST_LOCATION_EVALUATE_H

#include "debuginfo/place.h"

/* Evaluates a location's steps: REG and READ return the target's state; false, with REASON,
 * if a step fails. */
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
