/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why functions do not call a handler directly (-DTAP_DIRECT): the target's kernel, the place, the handler. What only
 * the running kernel knows, taprun -v reports. */
#ifndef TAPC_INDIRECT_H
#define TAPC_INDIRECT_H

struct arena;
struct plan;
struct site;
struct target_host;

/* Why no handler at S is called directly; NULL: one may be. */
const char *indirect_site(struct target_host *host, struct arena *a, const struct site *s);
/* For -v: all rows of functions, on stderr. */
void indirect_report(const struct plan *p, struct target_host *host);

#endif
