// SPDX-License-Identifier: GPL-2.0-or-later
/* The frames and rings of all CPUs, including those that go online later. */
#include "frames.h"

#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/mm.h>
#include <linux/numa.h>
#include <linux/topology.h>

#include "clock.h"
#include "context.h"
#include "maps.h"
#include "message.h"
#include "transport.h"
#include "core/regex.h"

/* The frame of a CPU that was never set up: always busy. */
static struct tap_frame nowhere = { .busy = 1 };

static s64 portion;			/* see tap_budget_start */
static int hotplug_state;
static char **all_cells;		/* [nr_cpu_ids * TAP_LEVELS], filled as CPUs go online */
static u32 cells_count;

static struct tap_ring *frames_open_ring(u32 cpu)
{
	u64 wanted = tap_session.configuration.buffer;
	bool overwrite = tap_session.configuration.flags & TAP_SESSION_OVERWRITE;
	u32 size = tap_ring_size(&tap_script.limits, wanted, num_online_cpus(), overwrite);

	return tap_ring_open(cpu, size, tap_ring_growth(wanted, size, overwrite), overwrite);
}

static void frame_free(struct tap_frame *f)
{
	if (!f || f == &nowhere)
		return;
	tap_zfree(f->scratch_base, tap_script.limits.scratch);
	tap_zfree(f->c.cells, tap_script.cells_size);
	if (f->groups)
		tap_zfree(f->groups, sizeof(*f->groups) + tap_script.limits.string);
	tap_zfree(f, sizeof(*f));
}

static struct tap_frame *frame_new(u32 cpu, u32 level, struct tap_ring *ring)
{
	int node = cpu_to_node(cpu);
	struct tap_frame *f = tap_zalloc(sizeof(*f), node);

	BUILD_BUG_ON(sizeof(*f) > TAP_CONTEXT_BYTES || sizeof(*f->groups) > TAP_GROUPS_BYTES);
	BUILD_BUG_ON(TAP_LEAST_OUT < 2 * TAP_MESSAGE);
	if (!f)
		return NULL;
	f->cpu = cpu;
	f->level = level;
	tap_ring_use(f, ring);
	f->out_size = tap_out_size(&tap_script.limits);
	f->most = f->out_size + sizeof(struct tap_record);
	f->budget = portion;
	f->scratch_base = tap_zalloc(tap_script.limits.scratch, node);
	f->c.cells = tap_zalloc(tap_script.cells_size, node);
	f->groups = tap_zalloc(sizeof(*f->groups) + tap_script.limits.string, node);
	if (!f->scratch_base || !f->c.cells || !f->groups) {
		frame_free(f);
		return NULL;
	}
	f->groups->text = (char *)(f->groups + 1);
	f->c.scratch_end = f->scratch_base + tap_script.limits.scratch;
	if (tap_script.init_cells)
		tap_script.init_cells(f->c.cells);
	return f;
}

/* Called before a CPU goes online, with the lock of CPU hotplug held: none of our locks may be
 * held around it. A CPU that goes offline keeps its frames and ring, which may contain unread
 * records. */
static int frames_prepare_cpu(unsigned int cpu)
{
	struct tap_cpu *c = per_cpu_ptr(&tap_cpu, cpu);
	struct tap_frame *frames[TAP_LEVELS] = { NULL };
	struct tap_ring *ring;

	c->since = tap_cycles();
	c->spent = 0;
	if (c->frames[0] != &nowhere)
		return 0;
	ring = frames_open_ring(cpu);
	if (!ring)
		return -ENOMEM;
	for (u32 level = 0; level < TAP_LEVELS; level++) {
		frames[level] = frame_new(cpu, level, ring);
		if (!frames[level])
			goto undo;
	}
	if (!tap_maps_open_cpu(cpu) || tap_ring_publish(ring, tap_session.directory))
		goto undo;
	for (u32 level = 0; level < TAP_LEVELS; level++) {
		all_cells[cells_count] = frames[level]->c.cells;
		smp_store_release(&cells_count, cells_count + 1);
		WRITE_ONCE(c->frames[level], frames[level]);
	}
	tap_session_wake();
	return 0;

undo:
	for (u32 level = 0; level < TAP_LEVELS; level++)
		frame_free(frames[level]);
	tap_ring_close(ring);
	return -ENOMEM;
}

/* A processor that the administrator brings online must not fail because of the session: without memory for it, its
 * hits are skipped. */
static int frames_cpu_comes(unsigned int cpu)
{
	if (frames_prepare_cpu(cpu))
		tap_message(TAP_ITEM_WARNING, "no memory for processor %u: its hits are skipped", cpu);
	return 0;
}

/* Before 6.8, registering a state of this kind calls no callback. */
static int frames_prepare_online(void)
{
	unsigned int cpu;
	int err = 0;

	for_each_online_cpu(cpu)
		if (!err)
			err = frames_prepare_cpu(cpu);
	return err;
}

/* Only needed if a CPU may go online later. The kernel has 20 states of this kind for all users, and warns when
 * they are used up, so a session on a machine with all CPUs online takes none. */
static int frames_expect_cpus(void)
{
	int state = 0;

	if (num_online_cpus() < num_possible_cpus())
		state = cpuhp_setup_state_nocalls_cpuslocked(CPUHP_BP_PREPARE_DYN, "tap:prepare", frames_cpu_comes,
							     NULL);
	if (state > 0)
		hotplug_state = state;
	return min(state, 0);
}

int tap_frames_start(void)
{
	int err;

	portion = tap_budget_start();
	tap_clock_start();
	all_cells = tap_zalloc(nr_cpu_ids * TAP_LEVELS * sizeof(*all_cells), NUMA_NO_NODE);
	if (!all_cells)
		return -ENOMEM;
	cpus_read_lock();
	err = frames_expect_cpus();
	if (!err)
		err = frames_prepare_online();
	cpus_read_unlock();
	return err;
}

void tap_frames_settle(void)
{
	if (hotplug_state)
		cpuhp_remove_state_nocalls(hotplug_state);
	hotplug_state = 0;
}

void tap_frames_stop(void)
{
	for (u32 cpu = 0; cpu < nr_cpu_ids; cpu++) {
		struct tap_cpu *c;

		if (!cpu_possible(cpu))
			continue;
		c = per_cpu_ptr(&tap_cpu, cpu);
		for (u32 level = 0; level < TAP_LEVELS; level++) {
			frame_free(c->frames[level]);
			c->frames[level] = &nowhere;
		}
	}
	tap_rings_close();
	if (all_cells)
		tap_zfree(all_cells, nr_cpu_ids * TAP_LEVELS * sizeof(*all_cells));
	all_cells = NULL;
	cells_count = 0;
}

/* Not a static initialiser: per-CPU data of modules is not relocated. */
void tap_frames_open(void)
{
	for (u32 cpu = 0; cpu < nr_cpu_ids; cpu++)
		for (u32 level = 0; cpu_possible(cpu) && level < TAP_LEVELS; level++)
			per_cpu_ptr(&tap_cpu, cpu)->frames[level] = &nowhere;
}

char *tap_cells(u32 i)
{
	return i < smp_load_acquire(&cells_count) ? all_cells[i] : NULL;
}
