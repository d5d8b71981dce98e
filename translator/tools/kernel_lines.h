/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Source lines of the kernel and of modules, for scripts with functions that need them. */
#ifndef TAPC_KERNEL_LINES_H
#define TAPC_KERNEL_LINES_H

struct images;
struct plan;

/* Make the tables, as files that the module's C includes, and add them to PLAN. Warns if no lines
 * are known: the functions then return the same as for an unknown address. */
void kernel_lines(struct images *images, struct plan *plan);

#endif
