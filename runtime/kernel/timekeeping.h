/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's clocks, from any context, for scripts. */
#ifndef TAP_TIMEKEEPING_H
#define TAP_TIMEKEEPING_H

#include "compat.h"

/* CLOCK_MONOTONIC and CLOCK_REALTIME, as the kernel defines them. */
u64 tap_clock_monotonic(void);
u64 tap_clock_real(void);

#endif
