/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The probes of a running session, by the sources that they are in. */
#ifndef TAPC_SHELL_ROWS_H
#define TAPC_SHELL_ROWS_H

#include <stdbool.h>

/* Switches the probes of SOURCE off or on. False if session MODULE has none that can be switched, or has ended. */
bool rows_switch(const char *module, const char *source, bool on);

#endif
