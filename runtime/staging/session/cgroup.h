/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --cgroup and --container: which cgroup is meant. */
#ifndef STAGING_CGROUP_H
#define STAGING_CGROUP_H

#include <stdint.h>

#include "common/status.h"
#include "options.h"

/* Sets *ID to the inode number of the cgroup's directory, in the hierarchy of version 2; 0: neither option is given.
 * Prints a message if there is no such cgroup. */
enum tap_status cgroup_find(const struct options *o, uint64_t *id);

#endif
