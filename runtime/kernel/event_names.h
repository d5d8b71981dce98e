/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names that a script gives to what it records, each with a number. */
#ifndef TAP_KERNEL_EVENT_NAMES_H
#define TAP_KERNEL_EVENT_NAMES_H

#include "session.h"

enum { TAP_EVENT_NAMES = 512, TAP_EVENT_NAME = 56 /* bytes */ };

int tap_event_names_allocate(void);
void tap_event_names_free(void);
/* From any handler: the number of S, of which the first TAP_EVENT_NAME bytes count. 0: no room. */
u32 tap_event_name(struct tap_string s);
/* Copies the name of NUMBER, below TAP_EVENT_NAMES, to TEXT, without NUL, and returns its size, which may be 0; -1: no
 * name has this number. */
int tap_event_name_copy(u32 number, char *text);

#endif
