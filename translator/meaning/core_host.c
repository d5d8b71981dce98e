/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The translator's implementation of the host interface of runtime/core (core/host.h). The translator uses the core
 * to check formats, lay out histograms and compile regular expressions; it never runs a handler. */
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
	fatal("internal error: a handler's error in the translator: %s", format);
}

void *tap_scratch_slow(struct tap_context *c, u32 size)
{
	(void)c;
	fatal("internal error: a handler's request for %u bytes of scratch memory in the translator", size);
}
