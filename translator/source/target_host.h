/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine that a script is for: kernel release, architecture, configuration. All of it is known before any
 * header or debug information is read. */
#ifndef TAPC_TARGET_HOST_H
#define TAPC_TARGET_HOST_H

#include <stdbool.h>

struct arena;
struct gap;
struct options;

struct target_host {
	const char *release;		/* "6.1.0-56-amd64" */
	const char *version;		/* "6.1.0": kernel_v */
	const char *machine;		/* "x86_64": the value of arch in scripts */
	const char *sysroot;		/* "" for this machine */
	const char *build;		/* -r DIR: the build tree, else NULL */
	const char *path;		/* directories of its programs; NULL: PATH */
	bool is_running;		/* it is the kernel that runs here */
	const char *config;		/* text of its .config, read on demand; "" if not found */
};

/* Fills in H from -r, -a, --sysroot, --sysenv and --vm. Returns false after an error message. */
bool target_host_find(struct target_host *h, const struct options *o);
/* The kernel for --vm without a release: the newest one that is installed with its headers; NULL: none is. */
const char *target_host_vm_kernel(struct arena *a, const char *sysroot);
/* Fills in G, for the case that it is NULL. */
void target_host_no_vm_kernel(const struct target_host *h, struct gap *g);
/* Was the kernel's .config found? */
bool target_host_has_config(struct target_host *h, struct arena *a);
/* The value of the option NAME ("y", "m", "\"text\""), or NULL if it is not set. */
const char *target_host_config(struct target_host *h, struct arena *a, const char *name);

#endif
