/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The script's arrays: made at start, with room for each CPU. */
#ifndef TAP_MAPS_H
#define TAP_MAPS_H

#include "session.h"

int tap_maps_start(void);
void tap_maps_stop(void);
/* A CPU comes, its handlers do not run yet; the lock of CPU hotplug is held. */
bool tap_maps_open_cpu(u32 cpu);

#endif
