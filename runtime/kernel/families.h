/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All probe families, and what they call while they attach. */
#ifndef TAP_FAMILIES_H
#define TAP_FAMILIES_H

#include "rows.h"

/* Reports that attaching ROW failed; FORMAT says what failed and why. An error, or a warning if
 * the row is optional. */
void tap_start_failed(struct tap_row *row, const char *format, ...) __printf(2, 3);

/* Called in start, before a family checks which CPUs are online: from then on until stop it is notified of CPUs
 * that go online or offline. */
void tap_cpus_expect(void);

/* The test hook fail_at=K: true for the Kth registration. Families call it before each
 * registration. */
bool tap_fail_here(void);

/* ---- the flow; process context, with the session's lock held ---- */

/* Attaches all rows, disarmed. After an error tap_families_stop must be called. */
int tap_families_start(void);
void tap_families_begin(void);
void tap_families_stop(void);		/* in reverse order */
void tap_families_end(void);
void tap_families_close(void);		/* before unloading */

#endif
