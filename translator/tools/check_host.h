/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tapc --check-host: what this machine has of what scripts need, and what closes each gap. */
#ifndef TAPC_CHECK_HOST_H
#define TAPC_CHECK_HOST_H

struct cache_dir;
struct images;
struct options;
struct target_host;

/* Prints the checks. Returns the exit status of a script that is run with the same options: TAP_STATUS_OK,
 * TAP_STATUS_BUILD or TAP_STATUS_LOAD. */
int check_host(const struct options *o, struct target_host *host, struct images *images, struct cache_dir *cache);

#endif
