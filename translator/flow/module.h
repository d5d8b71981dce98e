/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The module of a run: taken from the cache or built, then kept, handed over or launched. */
#ifndef TAPC_MODULE_H
#define TAPC_MODULE_H

#include "run.h"

/* Do the options ask for a module? */
bool module_is_wanted(const struct options *o);
/* Opens the cache and finds the compiler and the kernel's headers, once; false after messages. */
bool module_open(struct run *r);
/* Is it in the cache for this text and these options? Then nothing needs to be translated. */
bool module_take(struct run *r);
/* From the run's C, or from the cache; false after messages. */
bool module_build(struct run *r);
/* -p4: with -m the module is written to the current directory, otherwise to the cache, if there is one. The exit
 * status. */
int module_leave(struct run *r);
/* Writes it to image_fd, or runs it, which replaces this process. The exit status, if it returns. */
int module_launch(struct run *r);
/* Removes the directory of a build, or with -k prints its name. */
void module_keep_files(const struct run *r, const char *dir);
/* The images_compile of a run: debug information from headers. DATA: the run. */
const char *module_header_types(void *data, const char *headers, bool in_kernel, const char **reason);

#endif
