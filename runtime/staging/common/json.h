/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes JSON to an output: one object per line, members in the order of the calls. doc/json.md describes the
 * objects. */
#ifndef STAGING_JSON_H
#define STAGING_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct output;

/* {"type":"TYPE" */
void json_begin(struct output *o, const char *type);
/* ,"KEY": value. TEXT may contain any bytes; those that are not valid UTF-8 become U+FFFD. */
void json_text(struct output *o, const char *key, const char *text, size_t size);
void json_number(struct output *o, const char *key, int64_t value);
void json_unsigned(struct output *o, const char *key, uint64_t value);
void json_switch(struct output *o, const char *key, bool value);
/* Converts nanoseconds to seconds. */
void json_time(struct output *o, const char *key, int64_t ns);
/* Nested lists and objects: OPEN is '[' or '{', CLOSE is ']' or '}'. An element of a list has KEY NULL. */
void json_open(struct output *o, const char *key, char open);
void json_close(struct output *o, char close);
/* } and a newline. */
void json_end(struct output *o);

#endif
