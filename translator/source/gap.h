/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a machine lacks, as tapc prints it; the advice itself is in staging/common/advice.def. */
#ifndef TAPC_GAP_H
#define TAPC_GAP_H

#include <stdbool.h>

#include "staging/common/advice.h"

/* Print G as an error and close it. Returns false. */
bool gap_print(struct gap *g);

#endif
