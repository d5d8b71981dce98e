/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tapc --language-server: the Language Server Protocol 3.17 over standard input and output, for editors. */
#ifndef TAPC_SERVER_H
#define TAPC_SERVER_H

#include "base/util.h"
#include "staging/common/status.h"

struct analyst;

/* Serves until the editor ends the session. Returns the exit status. */
#ifdef HAVE_JANSSON
int language_server(const struct analyst *analyst);
#else
static inline int language_server(const struct analyst *analyst)
{
	(void)analyst;
	error_print("this tapc was built without its language server, which needs jansson: libjansson-dev (Debian), "
		    "jansson-devel (Fedora)");
	return TAP_STATUS_USAGE;
}
#endif

#endif
