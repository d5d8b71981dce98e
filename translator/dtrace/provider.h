/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The markers that a .d file declares, in DTrace's language for providers:
 *
 *	provider myprog {
 *		probe request__start(int id, const char *path);
 *	};
 *
 * Declarations of C, #pragma D and other lines with '#' may surround it; they are skipped. */
#ifndef TAPC_DTRACE_PROVIDER_H
#define TAPC_DTRACE_PROVIDER_H

#include "base/vec.h"
#include "source/source.h"

enum { MARKER_ARGUMENTS = 12 };

struct marker {
	const char *provider, *name;
	const char *macro;		/* of the generated header: upper case, "__" is "_" */
	struct span at;
	VEC(const char *) arguments;	/* as written, on one line */
};
struct markers { VEC(struct marker) list; };

/* Parses TEXT, which is FILE, or what the C preprocessor made of it. All mistakes are reported at places in the files
 * that are named in its line markers, as errors in D. */
void provider_parse(struct diag *d, const char *file, const char *text, size_t size, struct markers *found);

#endif
