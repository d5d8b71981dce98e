/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The life of processes. */
#ifndef TAP_LIFE_H
#define TAP_LIFE_H

/* Follows processes as far as rows, programs and the tree need it. */
int tap_life_start(void);
void tap_life_stop(void);
void tap_life_close(void);		/* before unloading */

#endif
