/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An image's BTF. */
#ifndef TAPC_DEBUGINFO_BTF_BTF_H
#define TAPC_DEBUGINFO_BTF_BTF_H

#include "debuginfo/handle.h"

/* Open d->btf; it is valid after FOUND. */
enum debuginfo_answer btf_open(struct debuginfo *d, const char **reason);
void btf_close(struct debuginfo *d);

#endif
