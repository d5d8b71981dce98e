/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Run a module: here by taprun, or in a virtual machine. */
#ifndef TAPC_LAUNCH_H
#define TAPC_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"

struct translation;

/* Could a module for the kernel RELEASE be run? An error is told. */
bool launch_is_possible(const struct translation *t, const char *release);
/* Load the module image and relay what it prints. Replaces this process; returns an exit status when
 * that fails. RELEASE: the kernel that the module is for. */
int launch_module(struct translation *t, const char *image, size_t size, const char *release);
/* Add what the options mean for taprun, as words of its command line. */
void launch_words(struct translation *t, name_list *argv);

/* --sessions and its like: what taprun, or tapd, does. Replaces this process as well. */
int launch_tool(struct translation *t);

#endif
