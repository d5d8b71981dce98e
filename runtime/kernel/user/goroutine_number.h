/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The goroutine that a process probe is hit by, for scripts. */
#ifndef TAP_GOROUTINE_NUMBER_H
#define TAP_GOROUTINE_NUMBER_H

#include "session.h"

/* 0: the probe is not in code of Go, or the number cannot be read. */
s64 tap_goroutine_number(struct tap_context *c);

#endif
