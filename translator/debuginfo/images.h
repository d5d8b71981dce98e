/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The images that a run reads debug information from: the target kernel, and programs. Each is opened once, when
 * it is first needed. */
#ifndef TAPC_DEBUGINFO_IMAGES_H
#define TAPC_DEBUGINFO_IMAGES_H

#include <stdbool.h>

#include "base/map.h"
#include "base/progress.h"
#include "debuginfo/debuginfo.h"

struct arena;
struct cache_dir;
struct target_host;

struct images {
	struct arena *arena;
	struct target_host *host;
	struct cache_dir *cache;
	struct debuginfo *kernel;	/* see images_kernel */
	struct map programs;		/* struct debuginfo by path; see images_program */
	struct map inputs;		/* paths of the files that symbols were read from */
	bool names_programs;		/* a program's name was looked up: the next time it may be another program */
	/* An object with the types of HEADERS, "<a.h>" and so on; NULL with a reason. The member is NULL if nothing
	 * can compile headers. */
	const char *(*compile)(void *data, const char *headers, bool in_kernel, const char **reason);
	void *compile_data;
	bool is_quiet;			/* --quiet: what takes long is not reported */
	struct progress fetched;	/* of the file that a server sends */
};

/* HOST may be filled in later, but before the first question. */
void images_open(struct images *images, struct arena *a, struct target_host *host, struct cache_dir *cache);
void images_close(struct images *images);
/* The target kernel's symbols. Never NULL; if they cannot be read, the first query says so. */
struct debuginfo *images_kernel(struct images *images);
/* The program or library PATH, a path on the target machine. */
struct debuginfo *images_program(struct images *images, const char *path);
/* The architecture of the target's kernel; this machine's if it is not known. */
const struct arch *images_arch(const struct images *images);
/* What to ask debuginfo for: the target's release, sysroot and architecture, and the cache. */
struct debuginfo_request images_request(struct images *images);

#endif
