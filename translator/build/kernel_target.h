/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel that a script is built for: its headers, architecture and compiler. */
#ifndef TAPC_KERNEL_TARGET_H
#define TAPC_KERNEL_TARGET_H

#include <stdbool.h>

#include "base/vec.h"

struct arena;
struct gap;
struct options;
struct progress;
struct target_host;

struct kernel_target {
	const char *release;		/* "6.1.0-50-amd64" */
	const char *sysroot;		/* without a trailing slash; "" for this machine's own files */
	const char *build;		/* the kernel's build tree or headers: argument of make -C */
	const char *makefile;		/* for make -f if the Makefile in build has a path outside
					 * of the sysroot; else NULL */
	const char *arch;		/* the kernel's name for it: x86, arm64, ... */
	const char *config;		/* text of include/config/auto.conf */
	const char *build_id;		/* hexadecimal, of the running kernel; "" if not known */
	const char *compiler;		/* as given to make: "gcc-12", "aarch64-linux-gnu-gcc" */
	const char *compiler_path;	/* its path */
	const char *compiler_named;	/* the compiler named by the headers, "gcc-10"; may not be installed */
	VEC(const char *) make_args;	/* ARCH=, CROSS_COMPILE=, CC= if needed, then -B */
	struct gap *gap;		/* of kernel_target_look */
};

/* Print an error and return false: an error of the build, printed once. */
bool build_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Did a command fail because the disk is full? Either its output says so, or there is no space left for DIR. */
bool build_ran_out_of_space(const char *output, const char *dir);

/* Find the kernel of -r, -a, --sysroot and -B. False, with a message that says what to install, if
 * headers, compiler or make are missing. */
bool kernel_target_find(struct kernel_target *k, const struct options *o, const struct target_host *h);

/* The same without a message: GAP says what is missing. */
bool kernel_target_look(struct kernel_target *k, const struct options *o, const struct target_host *h,
			struct gap *gap);

/* Environment for the kernel's tools: PATH, HOME and other variables they need, without MAKEFLAGS,
 * CPATH or ARCH that the user may have set; and the N variables in MORE. NULL-terminated. */
const char *const *kernel_target_environment(struct arena *a, const char *const *more, size_t n);

/* make -C BUILD M=DIR modules with ARGS (N of them); returns the exit status as command_run does,
 * and the output in *LOG. Each source that is compiled is a step of PROGRESS, which may be NULL. */
int kernel_target_make(const struct kernel_target *k, struct arena *a, const char *dir,
		       const char *const *args, size_t n, struct progress *progress, char **log);

#endif
