/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compiles regular expressions: user space only. */
#ifndef TAP_CORE_REGEX_COMPILE_H
#define TAP_CORE_REGEX_COMPILE_H

#include "core/regex.h"

struct tap_regex_error {
	u32 position;			/* in the pattern */
	const char *text;		/* "unmatched (" */
};
/* GROUPS: also make the tables for matched() and ngroups(). Returns NULL with *ERROR filled in on failure. The
 * result is a single block of memory. Compile all expressions with groups if the script uses either function
 * anywhere: any of them may have been the last =~. */
struct tap_regex *tap_regex_compile(const char *pattern, u32 size, bool groups,
				    struct tap_regex_error *error);
void tap_regex_free(struct tap_regex *re);

#endif
