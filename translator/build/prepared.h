/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The runtimes that root has built for all users, `tapc --prepare=system`: a directory for each kernel's release, laid
 * out like a user's cache. Only root writes there; it may not exist. A runtime there is whole, so it never grows, and
 * users read it in place. */
#ifndef TAPC_PREPARED_H
#define TAPC_PREPARED_H

#include <stdbool.h>

struct arena;
struct cache;
struct options;

/* Make C the directory for RELEASE, in order to build there. */
void prepared_open(struct cache *c, const struct options *o, const char *release);
/* Create it. False with a message: it cannot be written, or users other than this one and root can write to it, too. */
bool prepared_make(struct cache *c);
/* Returns the directory of the runtime KEY for RELEASE; NULL: it does not exist, or is not safe, of which a note
 * reports the reason with -v. */
const char *prepared_find(const struct options *o, const char *release, const char *key);
/* Reports with -v why the runtime in DIR is not used. Returns false. */
bool prepared_not_used(const struct options *o, const char *dir, const char *reason);

#endif
