/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The directory /proc/tap:NAME with control and meta (tap_wire.h). */
#ifndef TAP_CONTROL_H
#define TAP_CONTROL_H

int tap_control_open(void);
void tap_control_close(void);

#endif
