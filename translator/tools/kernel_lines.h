/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of the sources of the kernel and of modules, for scripts whose functions ask for them. */
#ifndef TAPC_KERNEL_LINES_H
#define TAPC_KERNEL_LINES_H

struct plan;
struct translation;

/* Make the tables, as files that the module's C takes in, and tell PLAN of them. A warning when nothing
 * is known of the lines: then the functions return what they have for an unknown address. */
void kernel_lines(struct translation *t, struct plan *plan);

#endif
