// SPDX-License-Identifier: GPL-2.0-or-later
/* The file belongs to the user who runs the program. */
#include "perf_map.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool take_hex(char **at, u64 *number)
{
	char *end;

	errno = 0;
	if (!isxdigit((unsigned char)**at))
		return false;
	*number = strtoull(*at, &end, 16);
	if (errno || *end != ' ')
		return false;
	*at = end + 1;
	return true;
}

void perf_map_read(char *text, size_t length, struct made_names *names)
{
	u32 number = 0;

	for (char *line = text, *end; (end = memchr(line, '\n', (size_t)(text + length - line))); line = end + 1) {
		u64 start, size;
		char *at = line;

		*end = 0;
		if (take_hex(&at, &start) && take_hex(&at, &size))
			made_names_add(names, start, size, at, ++number);
	}
	made_names_order(names);
}
