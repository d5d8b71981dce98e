/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Debug files from a debuginfod server. */
#ifndef TAPC_DEBUGINFO_DEBUGINFOD_H
#define TAPC_DEBUGINFO_DEBUGINFOD_H

#include "debuginfo/handle.h"

/* Download the debug file with build-id ID; NULL, with the failure appended to *REASON. */
const char *debuginfod_path(struct debuginfo *d, const uint8_t *id, size_t n, const char **reason);

#endif
