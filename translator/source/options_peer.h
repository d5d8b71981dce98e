/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of SystemTap's that mean nothing here, or something that tapc does not do. The others are tapc's own. */
#ifndef TAPC_OPTIONS_PEER_H
#define TAPC_OPTIONS_PEER_H

#include <stdbool.h>
#include <stddef.h>

struct peer_option {
	const char *name;		/* without "--"; one letter: of "-X" */
	int has_arg;			/* as getopt_long's */
	const char *values;		/* those it takes, with blanks around each; NULL: any */
	const char *refusal;		/* what to do in its place; NULL: it is taken, and means nothing here */
};

extern const struct peer_option peer_options[];		/* ends with a NULL name */

/* False: OPTION cannot be taken with VALUE, and a message says so. */
bool peer_option_take(const struct peer_option *option, const char *value);
/* A letter: the option; NULL: it is none of these. */
const struct peer_option *peer_option_letter(int letter);

#endif
