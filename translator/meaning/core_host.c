/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What runtime/core asks of its host (core/host.h), as far as the translator goes: it checks formats,
 * lays out histograms and compiles regular expressions, and runs no handler. */
#include <stdlib.h>

#include "core/host.h"
#include "base/util.h"

void *tap_alloc(u64 size)
{
	return xcalloc(1, size);
}

void tap_free(void *memory)
{
	free(memory);
}

void tap_host_relax(void)
{
}

void tap_error(struct tap_context *c, const char *format, ...)
{
	(void)c;
	fatal("the translator ran into a handler's error: %s", format);
}

void *tap_scratch_slow(struct tap_context *c, u32 size)
{
	(void)c;
	fatal("the translator ran into a handler's need of %u bytes of scratch", size);
}
