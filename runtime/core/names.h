/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of numbers and of bits. */
#ifndef TAP_CORE_NAMES_H
#define TAP_CORE_NAMES_H

#include "tap_script.h"

/* Names of numbers: a table ends with name NULL. */
struct tap_name {
	u64 value;
	const char *name;
};
#define TAP_NAME(constant) { (u64)(constant), #constant }
#define TAP_NAMES_END { 0, NULL }

/* The name of the first row with VALUE; empty if there is no such row. */
struct tap_string tap_name(const struct tap_name *names, u64 value);
/* The value of the first row named NAME; false if there is no such row. */
bool tap_name_value(const struct tap_name *names, struct tap_string name, u64 *value);
/* "A|B|0x80": the names of rows whose bits are all set, each bit once, the first row first; the remaining bits as a
 * number. 0 is the name of the row with value 0, or "0". */
struct tap_string tap_flags(struct tap_context *c, const struct tap_name *names, u64 flags);

#endif
