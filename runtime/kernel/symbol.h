/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Data of modules. Process context. */
#ifndef TAP_SYMBOL_H
#define TAP_SYMBOL_H

int tap_symbols_start(void);
void tap_symbols_stop(void);

#endif
