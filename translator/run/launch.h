/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a module: on this machine through taprun, or in a virtual machine. */
#ifndef TAPC_LAUNCH_H
#define TAPC_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"

struct gap;
struct options;

/* Can a module for the kernel RELEASE be run? Reports why not. */
bool launch_is_possible(const struct options *o, const char *release);
/* Is all installed that --vm needs besides a kernel? False: G says what is not. */
bool launch_vm_is_possible(const struct options *o, struct gap *g);
/* Load the module image and relay its output. Replaces this process; returns an exit status if that
 * fails. RELEASE: the kernel that the module was built for. */
int launch_module(struct options *o, const char *image, size_t size, const char *release);
/* Add the options that taprun needs, as words of its command line. */
void launch_words(const struct options *o, name_list *argv);

/* --sessions and similar: taprun or tapd does the work. Also replaces this process. */
int launch_tool(const struct options *o);

#endif
