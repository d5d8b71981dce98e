/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See gap.h. */
#include "gap.h"

#include "base/fatal.h"
#include "base/util.h"

bool gap_print(struct gap *g)
{
	_cleanup_free_ char *text = gap_text(g);

	error_print("%s", text);
	gap_close(g);
	return false;
}
