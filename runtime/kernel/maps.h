/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The script's arrays, if it has any: created at start, with room for each CPU. */
#ifndef TAP_MAPS_H
#define TAP_MAPS_H

#include "session.h"

static inline int tap_maps_start(void)
{
	return tap_script.map_ops ? tap_script.map_ops->start() : 0;
}

static inline void tap_maps_stop(void)
{
	if (tap_script.map_ops)
		tap_script.map_ops->stop();
}

static inline bool tap_maps_open_cpu(u32 cpu)
{
	return !tap_script.map_ops || tap_script.map_ops->open_cpu(cpu);
}

#endif
