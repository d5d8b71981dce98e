/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --merge: combines the per-CPU files of -b into one text in time order. */
#ifndef STAGING_MERGE_H
#define STAGING_MERGE_H

#include "common/status.h"

/* Prints the COUNT files at PATHS (of one session, in any order, including parts of -S) to standard output.
 * TAP_STATUS_HOST, with messages, on failure. */
enum tap_status merge_run(char **paths, int count);

#endif
