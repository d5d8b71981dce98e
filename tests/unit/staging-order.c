// SPDX-License-Identifier: GPL-2.0-or-later
/* Records are output in the order of stamp, CPU, sequence, and none before every CPU's heartbeat is later. */
#include "session/order.h"

#include <stdio.h>
#include <stdlib.h>

static int failures;
#define CHECK(c) \
	((c) ? (void)0 : (void)(failures++, printf("%s:%d: %s\n", __FILE__, __LINE__, #c)))

static void add(struct order *o, uint32_t cpu, uint64_t stamp, uint32_t sequence)
{
	order_add(o, &(struct order_entry){ .stamp = stamp, .sequence = sequence, .cpu = cpu });
}

static bool next_is(struct order *o, uint32_t cpu, uint64_t stamp, uint32_t sequence)
{
	struct order_entry e;

	return order_next(o, false, &e) && e.cpu == cpu && e.stamp == stamp && e.sequence == sequence;
}

static void waits_for_the_slowest(void)
{
	struct order_entry e;
	struct order o;

	order_open(&o, 3);
	add(&o, 0, 10, 1);
	add(&o, 1, 5, 1);
	CHECK(!order_next(&o, false, &e));
	order_horizon(&o, 0, 20);
	order_horizon(&o, 1, 20);
	CHECK(!order_next(&o, false, &e));
	order_horizon(&o, 2, 10);		/* a record with stamp 10 may still come from CPU 2 */
	CHECK(next_is(&o, 1, 5, 1));
	CHECK(!order_next(&o, false, &e));
	order_horizon(&o, 2, 11);
	CHECK(next_is(&o, 0, 10, 1));
	add(&o, 2, 30, 1);
	order_horizon(&o, 0, 15);		/* backwards: ignored */
	CHECK(!order_next(&o, false, &e));
	CHECK(order_next(&o, true, &e) && e.stamp == 30);
	CHECK(o.late == 0);
	add(&o, 2, 29, 2);
	CHECK(order_next(&o, true, &e) && o.late == 1);
	order_close(&o);
}

static void breaks_ties(void)
{
	struct order o;

	order_open(&o, 2);
	add(&o, 1, 7, 3);
	add(&o, 0, 7, 1);			/* after the wrap-around of sequence */
	add(&o, 0, 7, 0xfffffffe);
	add(&o, 0, 7, 0);
	add(&o, 1, 6, 9);
	order_horizon(&o, 0, 8);
	order_horizon(&o, 1, ORDER_NO_HORIZON);
	CHECK(next_is(&o, 1, 6, 9));
	CHECK(next_is(&o, 0, 7, 0xfffffffe));
	CHECK(next_is(&o, 0, 7, 0));
	CHECK(next_is(&o, 0, 7, 1));
	CHECK(next_is(&o, 1, 7, 3));
	order_close(&o);
}

/* Random clocks of CPUs: the output is sorted and complete. */
static void sorts_anything(unsigned seed)
{
	enum { CPUS = 5, RECORDS = 20000 };
	uint64_t clock[CPUS] = { 0 }, last = 0;
	uint32_t added = 0, left = 0;
	struct order_entry e;
	struct order o;

	srand(seed);
	order_open(&o, CPUS);
	while (added < RECORDS) {
		uint32_t cpu = (uint32_t)rand() % CPUS;
		uint64_t open = clock[cpu] + (uint64_t)rand() % 50;	/* no earlier record will follow */

		for (int i = rand() % 20; i > 0; i--)
			add(&o, cpu, open + (uint64_t)rand() % 100, ++added);
		clock[cpu] = open;
		order_horizon(&o, cpu, open);
		while (order_next(&o, false, &e)) {
			CHECK(e.stamp >= last);
			last = e.stamp;
			left++;
		}
	}
	while (order_next(&o, true, &e)) {
		CHECK(e.stamp >= last);
		last = e.stamp;
		left++;
	}
	CHECK(left == added && o.late == 0);
	order_close(&o);
}

int main(void)
{
	waits_for_the_slowest();
	breaks_ties();
	for (unsigned seed = 1; seed <= 20; seed++)
		sorts_anything(seed);
	return failures != 0;
}
