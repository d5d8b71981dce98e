// SPDX-License-Identifier: GPL-2.0-or-later
/* Services and clocks may start programs without PATH. Each shell and each library then has a different default, and
 * some have none. */
#include "default_path.h"

#include <stdlib.h>

void default_path_set(void)
{
	const char *path = getenv("PATH");

	if (!path || !*path)
		setenv("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", 1);
}
