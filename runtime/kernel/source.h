/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Source lines of the kernel and of modules: for tapset functions. From any handler. */
#ifndef TAP_SOURCE_H
#define TAP_SOURCE_H

#include "session.h"

enum tap_source_style { TAP_SOURCE_FILE, TAP_SOURCE_LINE, TAP_SOURCE_FILE_LINE };
/* The line of the instruction at ADDRESS, as a text on the scratch stack; the address as a number if it is unknown. */
struct tap_string tap_source_text(struct tap_context *c, u64 address, enum tap_source_style style);
enum tap_inlined_style { TAP_INLINED_NAME, TAP_INLINED_FILE_LINE };
/* Of the functions that are inlined around the call which returns to ADDRESS, the one with number N, from the inside,
 * from 0: its name, or where it is inlined, as a text on the scratch stack; empty if there are not so many. */
struct tap_string tap_source_inlined(struct tap_context *c, u64 address, s64 n, enum tap_inlined_style style);
/* Prints a line: PREFIX, the address, "vfs_read+0x10/0x1a0 at read_write.c:450 [kernel]". BEHIND_CALL: ADDRESS is a
 * return address, the line is that of the call, and functions that are inlined around the call precede it, a line
 * each: "file_ppos at read_write.c:600 (inlined) [kernel]". */
void tap_source_print(struct tap_context *c, const char *prefix, u64 address, bool behind_call);

#endif
