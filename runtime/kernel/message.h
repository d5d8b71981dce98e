/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages of the runtime. */
#ifndef TAP_MESSAGE_H
#define TAP_MESSAGE_H

#include "session.h"

/* Prints a message into the output, in process context: TAP_ITEM_ERROR or TAP_ITEM_WARNING. */
void tap_message(u32 kind, const char *format, ...) __printf(2, 3);

#endif
