/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --merge: what -b has written to a file for each processor, as one text in the order of time. */
#ifndef STAGING_MERGE_H
#define STAGING_MERGE_H

#include "common/status.h"

/* Prints the COUNT files at PATHS (of one session, in any order, parts of -S too) to standard output. What is
 * wrong is told; TAP_STATUS_HOST then. */
enum tap_status merge_run(char **paths, int count);

#endif
