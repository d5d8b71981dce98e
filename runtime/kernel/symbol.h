/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names and addresses, of data in modules and of code. */
#ifndef TAP_SYMBOL_H
#define TAP_SYMBOL_H

#include "session.h"

int tap_symbols_start(void);	/* process context */
void tap_symbols_stop(void);

/* Texts on the scratch stack for an address in the kernel, from any handler. "vfs_read"; the address as a number if
 * it is in no function. */
struct tap_string tap_symbol_name(struct tap_context *c, u64 address);
/* "vfs_read+0x10/0x1a0 [kernel]"; otherwise the address as a number. */
struct tap_string tap_symbol_data(struct tap_context *c, u64 address);
/* "kernel" or the module's name; an error if it is in no function. */
struct tap_string tap_symbol_module(struct tap_context *c, u64 address);
/* Writes ADDRESS as "0x" and hexadecimal digits to TO, without a NUL; returns the length. */
u32 tap_symbol_hex(char *to, u64 address);
enum { TAP_MOST_HEX = 18 };

/* Prints a line: PREFIX, the address, its tap_symbol_data. */
void tap_symbol_print(struct tap_context *c, const char *prefix, u64 address);
/* Begins a string of lines of tap_symbol_data. It must be the last block of scratch. It is
 * empty at first. */
struct tap_string tap_symbol_lines(struct tap_context *c);
/* Appends one line; false if it does not fit. */
bool tap_symbol_add(struct tap_context *c, struct tap_string *lines, u64 address);

#endif
