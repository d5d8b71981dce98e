/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --remote HOST: runs a script on other machines at the same time, over the system's ssh. The
 * script is compiled here, once for each kernel; a host needs taprun, mktemp and head. */
#ifndef TAPC_REMOTE_H
#define TAPC_REMOTE_H

#include <stddef.h>

struct options;

/* Build the module for kernel RELEASE on a MACHINE (both as uname prints them) and return its
 * bytes; NULL, with messages. */
typedef char *remote_build(void *data, const char *release, const char *machine, size_t *size);

/* Run on all hosts of the options. Returns when the last one has ended: 0, or the exit status of
 * the first host in command-line order that failed. */
int remote_run(const struct options *o, remote_build *build, void *data);

#endif
