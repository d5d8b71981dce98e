/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See add.h: the unusual cases. */
#include "core/add.h"

void tap_add_other_number(struct tap_context *c, struct tap_map *m, s64 key, s64 value)
{
	tap_map_add_stat(c, m, &(union tap_value){ .n = key }, value);
}

void tap_add_other_text(struct tap_context *c, struct tap_map *m, struct tap_string key, s64 value)
{
	tap_map_add_stat(c, m, &(union tap_value){ .s = key }, value);
}
