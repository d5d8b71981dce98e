/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine that a script is for: kernel release, architecture, configuration. Known before any
 * header or debug information is looked at. */
#ifndef TAPC_TARGET_HOST_H
#define TAPC_TARGET_HOST_H

#include <stdbool.h>

struct translation;

struct target_host {
	const char *release;		/* "6.1.0-56-amd64" */
	const char *version;		/* "6.1.0": kernel_v */
	const char *machine;		/* "x86_64": arch, as scripts compare it */
	const char *sysroot;		/* "" for this machine */
	const char *build;		/* -r DIR: the build tree, else NULL */
	bool is_running;		/* the kernel that runs here */
	const char *config;		/* text of its .config; "" when not found; read on demand */
};

/* From -r, -a and --sysroot. False, with a message, when -r names a folder that is no build tree. */
bool target_host_find(struct target_host *h, struct translation *t);
/* The value of CONFIG_NAME ("y", "m", "\"text\""), or NULL when it is not set. */
const char *target_host_config(struct target_host *h, struct translation *t, const char *name);

#endif
