/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names and addresses: of data in modules, of code. */
#ifndef TAP_SYMBOL_H
#define TAP_SYMBOL_H

#include "session.h"

int tap_symbols_start(void);	/* process context */
void tap_symbols_stop(void);

/* What is known of an address in the kernel, from any handler, as a text on the scratch stack. "vfs_read";
 * the address as a number when no function is there. */
struct tap_string tap_symbol_name(struct tap_context *c, u64 address);
/* "vfs_read+0x10/0x1a0 [kernel]"; the address as a number. */
struct tap_string tap_symbol_data(struct tap_context *c, u64 address);
/* "kernel" or the module's name; an error when no function is there. */
struct tap_string tap_symbol_module(struct tap_context *c, u64 address);
/* ADDRESS as "0x" and hexadecimal digits at TO, without a NUL; how many bytes that is. */
u32 tap_symbol_hex(char *to, u64 address);
enum { TAP_MOST_HEX = 18 };

/* Print a line: PREFIX, the address, its tap_symbol_data. */
void tap_symbol_print(struct tap_context *c, const char *prefix, u64 address);
/* Lines of tap_symbol_data in one string, which nothing else may lie above: none yet. */
struct tap_string tap_symbol_lines(struct tap_context *c);
/* One more; false when it has no room. */
bool tap_symbol_add(struct tap_context *c, struct tap_string *lines, u64 address);

#endif
