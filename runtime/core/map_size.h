/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The memory that arrays take, before they are opened and for each CPU. */
#ifndef TAP_CORE_MAP_SIZE_H
#define TAP_CORE_MAP_SIZE_H

#include "tap_script.h"

/* Bytes that tap_map_open() allocates, for CPUS as tap_host_cpus() and ONLINE of them running handlers. */
u64 tap_map_size(const struct tap_map_shape *shape, const struct tap_limits *limits, u32 cpus, u32 online);
u64 tap_map_cpu_size(const struct tap_map *m);		/* bytes of one CPU's table; 0: the map has no such tables */

#endif
