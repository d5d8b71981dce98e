// SPDX-License-Identifier: GPL-2.0-or-later
/* The script's arrays are implemented in core (core/map.h); this file creates and frees them. */
#include <linux/cpu.h>
#include <linux/random.h>

#include "core/map.h"
#include "message.h"
#include "session.h"
#include "core/map_size.h"

static bool opened;		/* protected by the lock of CPU hotplug */

static int map_start(const struct tap_map_row *row)
{
	u64 size = tap_map_size(row->shape, &tap_script.limits, nr_cpu_ids, num_online_cpus());

	if (!tap_session_allows(size))
		return -ENOMEM;		/* taprun reports exceeded limits */
	*row->map = tap_map_open(row->shape, &tap_script.limits, (u64)get_random_u32() << 32 | get_random_u32());
	if (!*row->map) {
		tap_message(TAP_ITEM_ERROR, "no memory for the array '%s'", row->shape->name);
		return -ENOMEM;
	}
	atomic64_add(tap_map_memory(*row->map), &tap_session.memory);
	return 0;
}

static int maps_start(void)
{
	int err = 0;

	cpus_read_lock();
	for (u32 i = 0; i < tap_script.map_count && !err; i++)
		err = map_start(&tap_script.maps[i]);
	opened = !err;
	cpus_read_unlock();
	return err;
}

static void maps_stop(void)
{
	cpus_read_lock();
	opened = false;
	cpus_read_unlock();
	for (u32 i = 0; i < tap_script.map_count; i++) {
		tap_map_close(*tap_script.maps[i].map);
		*tap_script.maps[i].map = NULL;
	}
}

/* A CPU's table stays when the CPU goes offline. */
static bool map_open_cpu(struct tap_map *m, u32 cpu)
{
	u64 before = tap_map_memory(m);

	if (!tap_session_allows(tap_map_cpu_size(m)) || !tap_map_open_cpu(m, cpu))
		return false;
	atomic64_add(tap_map_memory(m) - before, &tap_session.memory);
	return true;
}

static bool maps_open_cpu(u32 cpu)
{
	if (!opened)
		return true;
	for (u32 i = 0; i < tap_script.map_count; i++)
		if (!map_open_cpu(*tap_script.maps[i].map, cpu))
			return false;
	return true;
}

const struct tap_maps_ops tap_maps = { .start = maps_start, .stop = maps_stop, .open_cpu = maps_open_cpu };
